import { basename } from "node:path";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";
import { servePlugin } from "../plugin/serve-plugin";

/** Set by the build: answers as base64, by the path of their calls. */
declare const PROVIDER_ANSWERS: Readonly<Record<"cwp" | "null", Readonly<Record<string, string>>>>;

/*
 * The program that Terraform starts. The argument, or the name of an executable, names the provider:
 * the console's by default, or `null` for the replacement of hashicorp/null.
 */
const isNull =
  process.argv[2] === "null" || basename(process.execPath).startsWith("terraform-provider-null_");
const name = isNull ? "null" : "cwp";

void servePlugin({
  name,
  answers: new Map(
    Object.entries(PROVIDER_ANSWERS[name]).map(([path, text]) => [
      path,
      Buffer.from(text, "base64"),
    ]),
  ),
  introduction: `This is the Terraform provider ${isNull ? "hashicorp/null" : PROVIDER_SOURCE} of cdktf-console ${PROVIDER_VERSION}. It is started by Terraform and is not meant to be executed directly. To install it, run: npx cdktf-console provider install`,
  load: async () => (await import("./provider-calls.js")).loadProvider(name),
  environment: process.env,
  // Node has no Unix sockets there. Clients without Terraform's certificate are refused everywhere.
  ...(process.platform === "win32" && { port: 0 }),
});
