data "cwp_runtime_policies" "all" {}

output "runtime_policies_json" {
  value = data.cwp_runtime_policies.all.raw_json
}
