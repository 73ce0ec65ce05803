data "cwp_compliance_policies" "all" {}

output "first_policy" {
  value = data.cwp_compliance_policies.all.policies[0].name
}
