import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";
import { servePlugin } from "./serve-plugin";

/*
 * The program that Terraform starts. The argument names the provider: the console's by default, or
 * `null` for the replacement of hashicorp/null.
 */
const isNull = process.argv[2] === "null";

void servePlugin({
  name: isNull ? "null" : "cwp",
  introduction: `This is the Terraform provider ${isNull ? "hashicorp/null" : PROVIDER_SOURCE} of cdktf-console ${PROVIDER_VERSION}. It is started by Terraform and is not meant to be executed directly. To install it, run: npx cdktf-console provider install`,
  load: async () => {
    const { Provider } = await import("../provider/provider.js");
    if (isNull)
      return new Provider<unknown>((await import("../provider/null-provider.js")).nullProvider);
    return new Provider((await import("../provider/cwp-provider.js")).cwpProvider);
  },
  environment: process.env,
});
