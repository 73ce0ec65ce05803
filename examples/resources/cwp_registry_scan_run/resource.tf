resource "cwp_registry_scan" "registries" {
  specifications = [
    { registry = "registry.example.com", repository = "pay/*", tag = "*" },
  ]
}

# Scans once the registries are configured.
resource "cwp_registry_scan_run" "scan" {
  timeout = 7200

  triggers = {
    repositories = "pay/*"
  }

  depends_on = [cwp_registry_scan.registries]
}
