data "cwp_connectivity" "console" {}

output "serves" {
  value = data.cwp_connectivity.console.licensed
}
