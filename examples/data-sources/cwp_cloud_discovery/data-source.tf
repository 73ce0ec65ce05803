data "cwp_cloud_discovery" "accounts" {}

output "errors" {
  value = data.cwp_cloud_discovery.accounts.errors
}
