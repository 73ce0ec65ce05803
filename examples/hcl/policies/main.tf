terraform {
  required_providers {
    cwp = {
      source = "cdktf-console/cwp"
    }
  }
}

resource "cwp_compliance_policy_set" "policies" {
  ownership = "prefix"

  policies = [
    {
      name      = "No root in production"
      resources = { namespaces = ["prod-*"] }
      checks    = { "599" = true }
    },
  ]
}
