data "console_containers" "shop" {
  search = "shop"
  limit  = 20
}

output "how_many" {
  value = length(data.console_containers.shop.containers)
}
