data "console_custom_rules" "all" {}

output "custom_rules_json" {
  value = data.console_custom_rules.all.raw_json
}
