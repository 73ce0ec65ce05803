terraform {
  required_version = ">= 1.11"

  required_providers {
    cwp = {
      source = "cdktf-console/cwp"
    }
  }
}

variable "CONSOLE_PASSWORD" {
  type      = string
  sensitive = true
  ephemeral = true # in no plan, in no state
}

variable "CONSOLE_LICENSE_KEY" {
  type      = string
  sensitive = true
  ephemeral = true
}

# The address and the authority come from CONSOLE_URL and CONSOLE_CA_FILE.
provider "cwp" {
  username = "admin"
  password = var.CONSOLE_PASSWORD
}

# 1. The first user signs up. Until then, the console refuses all credentials.
resource "cwp_bootstrap" "admin" {
  username = "admin"
  password = var.CONSOLE_PASSWORD
}

# 2. The license is installed. Until then, the console refuses everything else.
resource "cwp_license" "license" {
  key        = var.CONSOLE_LICENSE_KEY
  depends_on = [cwp_bootstrap.admin]
}

# 3. Everything else depends on the license.
module "policies" {
  source     = "./policies"
  depends_on = [cwp_license.license]
}

# 4. The ID of terraform_data is unknown until it is created, so the token is requested after that.
resource "terraform_data" "ready" {
  depends_on = [cwp_license.license]
}

ephemeral "cwp_token" "token" {
  triggers = { ready = terraform_data.ready.id }
}

resource "terraform_data" "report" {
  depends_on = [module.policies]

  provisioner "local-exec" {
    command     = "sh ./report.sh"
    environment = { CONSOLE_TOKEN = ephemeral.cwp_token.token.token }
  }
}
