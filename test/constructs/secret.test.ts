import { inspect } from "node:util";
import { Fn, TerraformOutput, TerraformVariable } from "cdktf";
import { ConsoleProvider, CompliancePolicySet, ConsoleBootstrap, License, Secret } from "../../src";
import { findings, refusal, synthApp, synthStack } from "./synth";
import { TerraformStack } from "cdktf";

const VARIABLE = {
  type: "string",
  sensitive: true,
  ephemeral: true,
  description: "A secret, which is stored nowhere. Set TF_VAR_KEY; cdktf-console reads KEY too.",
};

test("adds one ephemeral variable per name and stack", () => {
  const stacks = synthApp((app) => {
    for (const name of ["one", "two"]) {
      const stack = new TerraformStack(app, name);
      new ConsoleProvider(stack, "console", { password: Secret.fromEnv("KEY") });
      new ConsoleBootstrap(stack, "bootstrap", { password: Secret.fromEnv("KEY") });
      new License(stack, "license", { key: Secret.fromEnv("KEY") });
    }
  });
  for (const { variable, provider, resource } of Object.values(stacks)) {
    expect(variable).toEqual({ KEY: VARIABLE });
    expect(provider.cwp).toEqual([{ password: "${var.KEY}" }]);
    expect(resource.cwp_license!.license!.key).toBe("${var.KEY}");
    expect(resource.cwp_bootstrap!.bootstrap!.password).toBe("${var.KEY}");
  }
});

test("writes plain text to the JSON only if it is marked, and escapes it", () => {
  const { variable, resource } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    new License(stack, "license", { key: Secret.unsafePlainText('a"${b}%{c}1e5') });
  });
  expect(variable).toBeUndefined();
  expect(resource.cwp_license!.license!.key).toBe('a"$${b}%%{c}1e5');
});

test("accepts tokens of other ephemeral sources", () => {
  const { resource } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const key = new TerraformVariable(stack, "key", { type: "string" });
    key.addOverride("ephemeral", true);
    new License(stack, "license", { key: Fn.trimspace(key.stringValue) });
  });
  expect(resource.cwp_license!.license!.key).toBe("${trimspace(var.key)}");
});

test("refuses a literal for a secret prop, and does not repeat it", () => {
  const message = refusal(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console", { password: "canary", token: "canary" });
      new ConsoleBootstrap(stack, "bootstrap", { password: "canary" });
      new License(stack, "license", { key: "canary" });
    }),
  );
  expect(message.match(/: Secret as plain text\./g)).toHaveLength(4);
  expect(message).not.toContain("canary");
});

test("refuses a secret in a prop that is stored in the state", () => {
  const secret: unknown = Secret.fromEnv("KEY");
  const [finding] = findings(() =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      new CompliancePolicySet(stack, "policies", {
        policies: [{ name: secret as string, checks: {} }],
      });
    }),
  );
  expect(finding).toMatch(
    /^\[demo\/policies\] policies\[0\]\.name: Secret in a prop that is stored in the state\./,
  );
});

test("does not show its value", () => {
  const secret = Secret.unsafePlainText("canary");
  expect(inspect(secret, { showHidden: false, depth: 9 }) + JSON.stringify(secret)).not.toContain(
    "canary",
  );
});

test("cannot be part of a string or of a token", () => {
  const secret: unknown = Secret.fromEnv("KEY");
  expect(() => `${secret as string}!`).toThrow(/cannot be part of a string or of a token/);
  expect(() =>
    synthStack((stack) => {
      new TerraformOutput(stack, "out", { value: { secret } });
    }),
  ).toThrow(/cannot be part of a string or of a token/);
});
