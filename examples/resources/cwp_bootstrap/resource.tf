variable "CONSOLE_PASSWORD" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "cwp_bootstrap" "bootstrap" {
  username     = "admin"
  password     = var.CONSOLE_PASSWORD
  wait_timeout = 900
}
