resource "console_compliance_policy_set" "policies" {
  policies = [{ name = "No root", checks = { 599 = true } }]
}

# What another console can import.
output "exported" {
  value = provider::console::policies_to_json(console_compliance_policy_set.policies.policies)
}
