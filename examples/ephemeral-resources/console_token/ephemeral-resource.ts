import { DataResource } from "cdktf";
import { stack } from "../../stack";

// cdktf has no construct for ephemeral resources.
stack.addOverride("ephemeral.console_token.token", {});

// What takes ephemeral values: provider blocks, write-only attributes, provisioners.
new DataResource(stack, "report", {
  provisioners: [
    {
      type: "local-exec",
      command: "./report.sh",
      environment: { CONSOLE_TOKEN: "${ephemeral.console_token.token.token}" },
    },
  ],
});
