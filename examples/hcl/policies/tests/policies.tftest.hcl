# Runs without a console: "terraform test" or "tofu test".
mock_provider "cwp" {}

run "policies" {
  command = plan

  assert {
    condition     = cwp_compliance_policy_set.policies.policies[0].checks["599"]
    error_message = "Production must not run containers as root."
  }
}
