data "cwp_containers" "shop" {
  search = "shop"
  limit  = 20
}

output "how_many" {
  value = length(data.cwp_containers.shop.containers)
}
