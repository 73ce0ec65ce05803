resource "cwp_object" "payments" {
  kind = "collection"
  body = {
    name       = "payments"
    images     = ["pay/*"]
    namespaces = ["pay-*"]
  }
}
