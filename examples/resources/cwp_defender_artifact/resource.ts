import { DefenderArtifact } from "cdktf-console";
import { stack } from "../../stack";

new DefenderArtifact(stack, "daemonset", {
  kind: "daemonset",
  filename: "defender.yaml",
  requestJson: JSON.stringify({ namespace: "defenders", orchestration: "kubernetes" }),
});
