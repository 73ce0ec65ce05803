import { builtInProviders } from "../../../src/provider/built-in";
import { validate } from "../../../src/runtime/validation/load";
import { temporaryFolder, writeStacks, type StackJson } from "../../cli/stack-files";

const SECRET = { type: "string", sensitive: true, ephemeral: true };

async function warningsOf(stack: StackJson): Promise<readonly string[]> {
  const outDir = writeStacks(temporaryFolder(), { prod: stack });
  const diagnostics = await validate({
    outDir,
    variables: { environment: { PW: "canary" }, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
  });
  return diagnostics
    .filter(({ summary }) => summary === "Secret in plain text")
    .map(({ severity, address, path = [] }) => [severity, address, ...path].join(" "));
}

test("warns of secrets that cdk.tf.json has in plain text", async () => {
  const stack = {
    provider: { cwp: [{ base_url: "https://console.invalid", password: "canary" }] },
    resource: {
      cwp_license: { here: { key: "canary" } },
      cwp_bootstrap: { up: { username: "admin", password: '${upper("canary")}' } },
    },
  };
  expect([...(await warningsOf(stack))].sort()).toEqual([
    "warning cwp_bootstrap.up password",
    "warning cwp_license.here key",
    "warning provider.cwp password",
  ]);
});

test("warns of none that a variable holds", async () => {
  const stack = {
    variable: { PW: SECRET },
    provider: { cwp: [{ base_url: "https://console.invalid", password: "${var.PW}" }] },
    resource: { cwp_license: { here: { key: "${var.PW}" } } },
  };
  expect(await warningsOf(stack)).toEqual([]);
});
