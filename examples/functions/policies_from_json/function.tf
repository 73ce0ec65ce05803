# The exported policies of another console become the policies of this one.
resource "cwp_compliance_policy_set" "policies" {
  policies = provider::cwp::policies_from_json(file("${path.module}/policies.json"))
}
