data "console_connectivity" "console" {}

output "serves" {
  value = data.console_connectivity.console.licensed
}
