import { ConsoleList } from "cdktf-console";
import { stack } from "../../stack";

new ConsoleList(stack, "admission", {
  kind: "admission_policy",
  entries: [
    {
      name: "no privileged pods",
      effect: "block",
      script: 'match[{"msg": msg}] { input.request.object.spec.privileged; msg := "privileged" }',
    },
  ],
});
