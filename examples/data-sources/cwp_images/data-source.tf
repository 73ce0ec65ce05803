data "cwp_images" "latest" {
  limit = 50
}

output "first_image" {
  value = data.cwp_images.latest.images[0].id
}
