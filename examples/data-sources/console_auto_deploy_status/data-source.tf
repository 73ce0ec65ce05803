data "console_auto_deploy_status" "status" {}

output "serverless" {
  value = data.console_auto_deploy_status.status.serverless
}
