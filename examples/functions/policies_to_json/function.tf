resource "cwp_compliance_policy_set" "policies" {
  policies = [{ name = "No root", checks = { 599 = true } }]
}

# Another console can import this text.
output "exported" {
  value = provider::cwp::policies_to_json(cwp_compliance_policy_set.policies.policies)
}
