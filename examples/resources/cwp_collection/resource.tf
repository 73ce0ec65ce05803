resource "cwp_collection" "payments" {
  name        = "payments"
  description = "The payments team"
  images      = ["registry.example.com/pay/*"]
  namespaces  = ["pay-*", "-pay-test"]
}

resource "cwp_compliance_policy_set" "policies" {
  ownership = "prefix"

  policies = [{
    name        = "payments"
    collections = [cwp_collection.payments.name]
    checks      = { "599" = true }
  }]
}
