data "cwp_compliance_stats" "today" {}

output "kind" {
  value = data.cwp_compliance_stats.today.kind
}
