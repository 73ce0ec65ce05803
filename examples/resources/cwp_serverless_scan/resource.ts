import { ServerlessScan } from "cdktf-console";
import { stack } from "../../stack";

new ServerlessScan(stack, "functions", {
  onDestroy: "keep",
  scopes: [
    {
      credentialId: "aws-orders",
      provider: "aws",
      region: "eu-central-1",
      pattern: "orders-*",
      cap: 20,
    },
  ],
});
