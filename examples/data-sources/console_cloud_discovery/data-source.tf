data "console_cloud_discovery" "accounts" {}

output "errors" {
  value = data.console_cloud_discovery.accounts.errors
}
