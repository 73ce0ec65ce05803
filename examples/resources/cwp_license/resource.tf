variable "CONSOLE_LICENSE_KEY" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "cwp_license" "license" {
  key = var.CONSOLE_LICENSE_KEY
}
