# What a console exported becomes the policies of this one.
resource "console_compliance_policy_set" "policies" {
  policies = provider::console::policies_from_json(file("${path.module}/policies.json"))
}
