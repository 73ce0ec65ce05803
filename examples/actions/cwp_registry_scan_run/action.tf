action "cwp_registry_scan_run" "all" {
  config {
    timeout = 7200
  }
}

# Scans after the registries were created or changed.
resource "cwp_registry_scan" "registries" {
  specifications = [
    { registry = "registry.example.com", repository = "pay/*", tag = "*" },
  ]

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.cwp_registry_scan_run.all]
    }
  }
}
