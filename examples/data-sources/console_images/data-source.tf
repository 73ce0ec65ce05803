data "console_images" "latest" {
  limit = 50
}

output "first_image" {
  value = data.console_images.latest.images[0].id
}
