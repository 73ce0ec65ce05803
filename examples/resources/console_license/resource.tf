variable "CONSOLE_LICENSE_KEY" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "console_license" "license" {
  key = var.CONSOLE_LICENSE_KEY
}
