resource "cwp_defender_artifact" "daemonset" {
  kind     = "daemonset"
  filename = "defender.yaml"

  request_json = jsonencode({
    namespace     = "defenders"
    orchestration = "kubernetes"
  })
}
