resource "cwp_compliance_policy_set" "policies" {
  ownership = "prefix" # these policies come first; unmanaged policies are kept

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
