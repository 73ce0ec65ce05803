resource "cwp_compliance_policy_set" "policies" {
  policies = [{ name = "No root", checks = { 599 = true } }]
}

# Scans again when the policies change.
resource "cwp_container_scan" "scan" {
  timeout = 900

  triggers = {
    policies = cwp_compliance_policy_set.policies.content_sha256
  }
}
