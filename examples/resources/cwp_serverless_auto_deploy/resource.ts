import { ServerlessAutoDeploy } from "cdktf-console";
import { stack } from "../../stack";

new ServerlessAutoDeploy(stack, "functions", {
  specs: [{ name: "orders", credentialId: "aws-orders", provider: "aws", runtimes: ["python3.8"] }],
});
