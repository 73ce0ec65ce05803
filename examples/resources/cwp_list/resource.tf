resource "cwp_list" "admission" {
  kind = "admission_policy"
  entries = [
    {
      name   = "no privileged pods"
      effect = "block"
      script = "match[{\"msg\": msg}] { input.request.object.spec.privileged; msg := \"privileged\" }"
    },
  ]
}
