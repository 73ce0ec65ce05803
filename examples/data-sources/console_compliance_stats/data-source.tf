data "console_compliance_stats" "today" {}

output "kind" {
  value = data.console_compliance_stats.today.kind
}
