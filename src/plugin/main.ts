import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";
import { servePlugin } from "./serve-plugin";

/*
 * What Terraform starts. The argument names the provider: the console's, or `null` for the one that
 * stands in for hashicorp/null where no registry can be asked.
 */
const isNull = process.argv[2] === "null";

void servePlugin({
  name: isNull ? "null" : "cwp",
  introduction: `This is the Terraform provider ${isNull ? "hashicorp/null" : PROVIDER_SOURCE} of cdktf-console ${PROVIDER_VERSION}, which Terraform starts by itself. To install it: npx cdktf-console provider install`,
  load: async () => {
    const { Provider } = await import("../provider/provider.js");
    if (isNull)
      return new Provider<unknown>((await import("../provider/null-provider.js")).nullProvider);
    return new Provider((await import("../provider/cwp-provider.js")).consoleProvider);
  },
  environment: process.env,
});
