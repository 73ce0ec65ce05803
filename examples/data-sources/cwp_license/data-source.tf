data "cwp_license" "installed" {}

output "license_expires_at" {
  value = data.cwp_license.installed.expires_at
}
