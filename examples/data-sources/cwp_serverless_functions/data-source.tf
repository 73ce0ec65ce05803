data "cwp_serverless_functions" "exposed" {
  defended = false
}

output "exposed_functions" {
  value = data.cwp_serverless_functions.exposed.names
}
