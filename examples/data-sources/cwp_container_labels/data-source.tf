data "cwp_container_labels" "all" {}

output "labels" {
  value = data.cwp_container_labels.all.labels
}
