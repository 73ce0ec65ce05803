data "cwp_auto_deploy_status" "status" {}

output "serverless" {
  value = data.cwp_auto_deploy_status.status.serverless
}
