data "cwp_get" "admission" {
  path    = "policies/admission"
  members = ["name", "effect"]
}
