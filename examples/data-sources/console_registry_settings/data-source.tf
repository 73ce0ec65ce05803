data "console_registry_settings" "all" {}

output "how_many" {
  value = length(data.console_registry_settings.all.specifications)
}
