import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInProviders } from "../../../src/provider/built-in";
import { REFUSALS } from "../../../src/language/expressions/refusals";
import { functions } from "../../../src/language/expressions/functions/registry";
import { loadStacks } from "../../../src/runtime/validation/load";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "refusals-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function problemsOf(stack: object, synthesizedStackPath = "stacks/a/cdk.tf.json") {
  mkdirSync(join(folder, "stacks/a"), { recursive: true });
  if (synthesizedStackPath.endsWith(".json"))
    writeFileSync(join(folder, synthesizedStackPath), JSON.stringify(stack));
  const entry = { name: "a", workingDirectory: "stacks/a", synthesizedStackPath };
  const manifest = {
    version: "0.20.0",
    stacks: { a: { ...entry, constructPath: "a", annotations: [], dependencies: [] } },
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const { diagnostics } = await loadStacks({
    outDir: folder,
    variables: { environment: {}, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
  });
  return diagnostics;
}

const local = { "local-exec": { command: "true" } };
/** A stack with each refusal. */
const EVERYTHING = {
  terraform: { backend: { oss: { bucket: "b" } }, encryption: {} },
  provider: { null: { alias: "each", for_each: "${toset([])}" } },
  module: { m: { source: "./m" } },
  action: { cwp_container_scan: { all: { config: {} } } },
  resource: {
    null_resource: {
      remote: { provisioner: [{ "remote-exec": { inline: ["true"] } }, { file: {} }] },
      connected: { connection: { host: "h" }, provisioner: [local] },
      triggering: {
        lifecycle: {
          action_trigger: [
            { events: ["after_create"], actions: ["${action.cwp_container_scan.all}"] },
          ],
        },
      },
      counted: {
        count: 1,
        provisioner: [{ "local-exec": { command: "${null_resource.counted[0].id}" } }],
      },
      dynamic: { dynamic: { block: { for_each: [], content: {} } } },
    },
    aws_instance: { other: {} },
  },
  data: {
    terraform_remote_state: {
      oss: { backend: "oss", config: { bucket: "b" } },
      late: { backend: "local", config: { path: "${null_resource.remote.id}" } },
    },
  },
  variable: {
    early: { const: true, default: "a" },
    old: { deprecated: "Use early.", default: "a" },
  },
  import: [{ to: "null_resource.remote", identity: { id: "a" } }],
  output: {
    typed: { value: "a", type: "string" },
    old: { value: "a", deprecated: "Use typed." },
    converted: { value: '${convert("1", number)}' },
    gzip: { value: '${base64gzip("a")}' },
    hash: { value: '${bcrypt("a")}' },
    key: { value: '${rsadecrypt("a", "b")}' },
    applying: { value: "${terraform.applying}" },
    module: { value: "${module.m.x}" },
  },
};

test("all that is refused by name is reported at once, with what to use in its place", async () => {
  const diagnostics = await problemsOf(EVERYTHING);
  const details = diagnostics.map(({ address, detail }) => `${address}: ${detail}`);
  const { hcl, unreadFile, ...refusals } = REFUSALS;
  for (const { reason } of [hcl, unreadFile]) {
    expect(details.some((detail) => detail.includes(reason))).toBe(false);
  }
  const missing = Object.entries(refusals).filter(
    ([, { reason }]) => !details.some((detail) => detail.includes(reason)),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
  expect(new Set(diagnostics.map(({ address }) => address))).toEqual(
    new Set([
      "terraform",
      "provider.null.each",
      "module.m",
      "action.cwp_container_scan.all",
      "null_resource.remote",
      "null_resource.connected",
      "null_resource.triggering",
      "null_resource.counted",
      "null_resource.dynamic",
      "aws_instance.other",
      "data.terraform_remote_state.oss",
      "data.terraform_remote_state.late",
      "var.early",
      "var.old",
      "import[0]",
      "output.typed",
      "output.old",
      "output.converted",
      "output.gzip",
      "output.hash",
      "output.key",
      "output.applying",
      "output.module",
    ]),
  );
  for (const detail of details) {
    expect(detail).toMatch(
      /(Terraform|Terraform 1\.1[245] or newer|OpenTofu) (can run the stack\.$|refuses it there too\.)/,
    );
  }
});

test("a stack in HCL is named as such", async () => {
  mkdirSync(join(folder, "stacks/a"), { recursive: true });
  writeFileSync(join(folder, "stacks/a/cdk.tf"), 'resource "null_resource" "a" {}');
  expect(await problemsOf({}, "stacks/a/cdk.tf")).toMatchObject([
    { summary: "Stack in HCL", detail: expect.stringContaining(REFUSALS.hcl.reason) as string },
  ]);
});

test("other files that Terraform loads with a stack are named", async () => {
  const stack = join(folder, "stacks/a");
  mkdirSync(join(stack, "module.tf"), { recursive: true });
  for (const name of ["more.tf.json", "override.tf.json", "b_override.tf", "é.tf"]) {
    writeFileSync(join(stack, name), "{}");
  }
  // Not those that Terraform leaves out, too.
  for (const name of [".hidden.tf", "a.tf~", "#a.tf#", ".#a.tf", "x.tf.bak", "a.tofu"]) {
    writeFileSync(join(stack, name), "{");
  }
  const [problem, ...others] = await problemsOf({});
  expect(others).toEqual([]);
  expect(problem?.summary).toBe('Other files of stack "a"');
  expect(problem?.detail).toContain(
    `loads b_override.tf, more.tf.json, override.tf.json, é.tf in ${stack} too. ${REFUSALS.unreadFile.reason}`,
  );
});

describe("a provider under another name", () => {
  const resource = { cwp_license: { l: { key: "k" } } };
  const source = "cdktf-console/cwp";

  test("is to be named in the resource", async () => {
    const problems = await problemsOf({
      terraform: { required_providers: { console: { source } } },
      resource,
    });
    expect(problems).toMatchObject([
      { address: "cwp_license.l", summary: "Missing provider argument" },
    ]);
    expect(problems[0]?.detail).toContain('Set provider = "console"');
  });

  test("is to be declared where nothing does", async () => {
    const problems = await problemsOf({ provider: { cwp: {} }, resource });
    expect(problems).toMatchObject([
      { address: "provider.cwp", summary: "Missing provider source" },
      { address: "cwp_license.l", summary: "Missing provider source" },
    ]);
    expect(problems[0]?.detail).toContain(`Add "cwp" with the source "${source}"`);
  });

  test("is not ours where it has another source", async () => {
    const required_providers = { cwp: { source: "acme/cwp" }, console: { source } };
    const problems = await problemsOf({ terraform: { required_providers }, resource });
    expect(problems).toMatchObject([
      { address: "cwp_license.l", summary: "Provider not supported" },
    ]);
    expect(problems[0]?.detail).toContain("registry.terraform.io/acme/cwp");
  });
});

test("no function is refused that the executor has", () => {
  const refused = Object.values(REFUSALS).filter(({ kind }) => kind === "function");
  expect(refused.filter(({ name }) => functions.has(name))).toEqual([]);
});
