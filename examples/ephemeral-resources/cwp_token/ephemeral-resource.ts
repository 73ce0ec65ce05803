import { DataResource } from "cdktf";
import { stack } from "../../stack";

// cdktf has no construct for ephemeral resources.
stack.addOverride("ephemeral.cwp_token.token", {});

// Provider blocks, write-only attributes and provisioners accept ephemeral values.
new DataResource(stack, "report", {
  provisioners: [
    {
      type: "local-exec",
      command: "./report.sh",
      environment: { CONSOLE_TOKEN: "${ephemeral.cwp_token.token.token}" },
    },
  ],
});
