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

provider "cwp" {
  base_url            = "https://console.example.com:8083"
  ca_certificate_file = "/etc/console/ca.pem"
  username            = "admin"
  password            = var.CONSOLE_PASSWORD
}
