data "console_container_labels" "all" {}

output "labels" {
  value = data.console_container_labels.all.labels
}
