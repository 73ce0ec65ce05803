resource "cwp_compliance_policy_set" "policies" {
  ownership = "prefix" # these come first, all others stay as they are

  policies = [
    {
      name      = "No root in production"
      resources = { namespaces = ["prod-*"] }
      checks    = { 599 = true }
    },
    {
      name   = "Everything else"
      checks = { 41 = false, 51 = false }
    },
  ]
}
