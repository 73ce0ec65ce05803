ephemeral "cwp_token" "token" {}

# Provider blocks, write-only attributes and provisioners accept ephemeral values.
resource "null_resource" "report" {
  provisioner "local-exec" {
    command = "./report.sh"

    environment = {
      CONSOLE_TOKEN = ephemeral.cwp_token.token.token
    }
  }
}
