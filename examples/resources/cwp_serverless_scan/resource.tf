resource "cwp_serverless_scan" "functions" {
  on_destroy = "keep"

  scopes = [
    {
      credential_id = "aws-orders"
      provider      = "aws"
      region        = "eu-central-1"
      pattern       = "orders-*"
      cap           = 20
    },
  ]
}
