data "cwp_registry_settings" "all" {}

output "how_many" {
  value = length(data.cwp_registry_settings.all.specifications)
}
