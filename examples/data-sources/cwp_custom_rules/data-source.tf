data "cwp_custom_rules" "all" {}

output "custom_rules_json" {
  value = data.cwp_custom_rules.all.raw_json
}
