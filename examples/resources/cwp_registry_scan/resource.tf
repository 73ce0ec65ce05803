resource "cwp_registry_scan" "registries" {
  ownership = "shared" # unmanaged specifications are kept

  specifications = [
    {
      registry      = "registry.example.com"
      repository    = "team/*"
      tag           = "v*"
      cap           = 5
      credential_id = "registry-reader" # stored on the console
    },
  ]
}
