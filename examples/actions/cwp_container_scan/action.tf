action "cwp_container_scan" "all" {
  config {
    timeout = 900
  }
}

# Scans after the policies were created or changed.
resource "cwp_compliance_policy_set" "policies" {
  policies = [{ name = "No root", checks = { 599 = true } }]

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.cwp_container_scan.all]
    }
  }
}
