ephemeral "cwp_token" "token" {}

# What takes ephemeral values: provider blocks, write-only attributes, provisioners.
resource "null_resource" "report" {
  provisioner "local-exec" {
    command = "./report.sh"

    environment = {
      CONSOLE_TOKEN = ephemeral.cwp_token.token.token
    }
  }
}
