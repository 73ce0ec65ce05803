resource "cwp_serverless_auto_deploy" "functions" {
  specs = [
    {
      name          = "orders"
      credential_id = "aws-orders"
      provider      = "aws"
      runtimes      = ["python3.8"]
    },
  ]
}
