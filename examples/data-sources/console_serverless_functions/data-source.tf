data "console_serverless_functions" "exposed" {
  defended = false
}

output "exposed_functions" {
  value = data.console_serverless_functions.exposed.names
}
