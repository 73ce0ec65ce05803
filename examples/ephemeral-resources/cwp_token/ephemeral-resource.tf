ephemeral "cwp_token" "token" {}

# Provider blocks, write-only attributes and provisioners accept ephemeral values.
resource "terraform_data" "report" {
  provisioner "local-exec" {
    command = "./report.sh"

    environment = {
      CONSOLE_TOKEN = ephemeral.cwp_token.token.token
    }
  }
}
