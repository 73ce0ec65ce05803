import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { TOFU } from "../opentofu/install";
import { findProgram } from "../support/requirement";
import { TERRAFORM_1_15 } from "../terraform-1.15/install";
import { checkModules } from "./entry-points";
import { BIN, run } from "./project";

/** The programs that run the installed provider, each with the name that it has on PATH. */
const PROGRAMS = {
  "terraform-1.11": ["terraform", findProgram("terraform")],
  "terraform-1.15": ["terraform", TERRAFORM_1_15],
  opentofu: ["tofu", TOFU],
} as const;

const STACK = {
  terraform: {
    backend: { local: { path: "terraform.tfstate" } },
    required_providers: { cwp: { source: "cdktf-console/cwp" } },
  },
  variable: { CONSOLE_PASSWORD: { type: "string", ephemeral: true, sensitive: true } },
  provider: { cwp: [{ username: "admin", password: "${var.CONSOLE_PASSWORD}" }] },
  resource: {
    cwp_compliance_policy_set: { policies: { policies: [{ name: "a", checks: { 41: true } }] } },
  },
};

const MANIFEST = {
  version: "0.21.0",
  stacks: {
    one: {
      name: "one",
      constructPath: "one",
      synthesizedStackPath: "stacks/one/cdk.tf.json",
      workingDirectory: "stacks/one",
      annotations: [],
      dependencies: [],
    },
  },
};

/**
 * Runs the provider of the installed package in each form on a console, under Terraform 1.11 or under
 * each program.
 */
export function checkInstalledProvider(directory: string, isAll: boolean): void {
  const programs = Object.entries(PROGRAMS);
  for (const [title, [name, program]] of isAll ? programs : programs.slice(0, 1)) {
    if (program === undefined) throw new Error(`${title} is not installed`);
    checkProgram(join(directory, title), join(directory, "node_modules/.bin/cdktf-console"), {
      name,
      program,
    });
  }
}

function checkProgram(
  directory: string,
  cli: string,
  { name, program }: { readonly name: string; readonly program: string },
): void {
  const stack = join(directory, "cdktf.out/stacks/one");
  mkdirSync(stack, { recursive: true });
  writeFileSync(join(directory, "cdktf.out/manifest.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(stack, "cdk.tf.json"), JSON.stringify(STACK));
  run(directory, cli, "provider", "install", "--dir", stack);
  const launchers = launchersIn(stack);
  for (const launcher of launchers) checkModules(dirname(launcher));

  const call = `${join(BIN, "tsx")} ${join(__dirname, "call-provider.ts")}`;
  writeProgram(join(directory, "bin", name), [
    // A provider that is served is in reach while the program plans.
    `if [ -n "$TF_REATTACH_PROVIDERS" ] && [ "$1" = plan ]; then ${call} >&2 || exit 1; fi`,
    `exec ${program} "$@"`,
  ]);
  const called = join(directory, "called");
  writeProgram(join(directory, "check"), [
    "set -e",
    `export PATH=${join(directory, "bin")}${delimiter}$PATH HOME=${directory} TF_WORKSPACE=default`,
    `export TF_CLI_CONFIG_FILE=/dev/null CHECKPOINT_DISABLE=1 TF_INPUT=0 CALLED=${called}`,
    "export TF_VAR_CONSOLE_PASSWORD=$CONSOLE_PASSWORD",
    `converge() { ${name} plan; ${name} apply -auto-approve; ${name} plan -detailed-exitcode; ${name} destroy -auto-approve; }`,
    `cd ${stack}`,
    ...launchers.map((launcher) => `${call} ${launcher}`),
    `${name} init`,
    "converge",
    `${cli} provider serve --reattach >served & server=$!`,
    "trap 'kill $server' EXIT",
    "until [ -s served ]; do kill -0 $server; sleep 0.1; done",
    "(export TF_REATTACH_PROVIDERS=$(cat served); converge)",
    `cd ${directory}`,
    `${cli} apply --auto-approve --out-dir cdktf.out --engine ${name}`,
    `${cli} plan --detailed-exitcode --out-dir cdktf.out --engine ${name}`,
  ]);
  run(
    directory,
    cli,
    ...["simulate", "--signed-up", "admin:secret", "--licensed", "--", join(directory, "check")],
  );
  const forms = readFileSync(called, "utf8").trim().split("\n");
  // Two plans over the reattached provider, and one at least of each command with an engine.
  const served = forms.filter((form) => form === "served");
  if (forms.length - served.length !== launchers.length || served.length < 4) {
    throw new Error(`The provider was called in these forms only:\n${forms.join("\n")}`);
  }
}

/** The launchers of the console's provider in a folder of plugins, one for each registry. */
function launchersIn(stack: string): readonly string[] {
  const found = readdirSync(stack, { recursive: true, encoding: "utf8" })
    .filter((file) => /terraform-provider-cwp_v[^/]*$/.test(file))
    .map((file) => join(stack, file));
  if (found.length === 0) throw new Error("no provider is installed");
  return found;
}

function writeProgram(file: string, lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${["#!/bin/sh", ...lines].join("\n")}\n`);
  chmodSync(file, 0o755);
}
