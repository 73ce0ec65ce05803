import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInProviders } from "../../../src/provider/built-in";
import { REFUSALS } from "../../../src/runtime/expressions/refusals";
import { functions } from "../../../src/runtime/expressions/functions/registry";
import { validate } from "../../../src/runtime/validation/load";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "refusals-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function problemsOf(stack: object) {
  mkdirSync(join(folder, "stacks/a"), { recursive: true });
  const synthesizedStackPath = "stacks/a/cdk.tf.json";
  writeFileSync(join(folder, synthesizedStackPath), JSON.stringify(stack));
  const entry = { name: "a", workingDirectory: "stacks/a", synthesizedStackPath };
  const manifest = {
    version: "0.20.0",
    stacks: { a: { ...entry, constructPath: "a", annotations: [], dependencies: [] } },
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return validate({
    outDir: folder,
    variables: { environment: {}, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
  });
}

const local = { "local-exec": { command: "true" } };
/** A stack with each refusal. */
const EVERYTHING = {
  terraform: { backend: { s3: { bucket: "b" } } },
  module: { m: { source: "./m" } },
  resource: {
    null_resource: {
      remote: { provisioner: [{ "remote-exec": { inline: ["true"] } }, { file: {} }] },
      connected: { connection: { host: "h" }, provisioner: [local] },
      dynamic: { dynamic: { block: { for_each: [], content: {} } } },
    },
    aws_instance: { other: {} },
  },
  data: {
    terraform_remote_state: {
      s3: { backend: "s3", config: { bucket: "b" } },
      late: { backend: "local", config: { path: "${null_resource.remote.id}" } },
    },
  },
  output: {
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
  const missing = Object.entries(REFUSALS).filter(
    ([, { reason }]) => !details.some((detail) => detail.includes(reason)),
  );
  expect(missing.map(([name]) => name)).toEqual([]);
  expect(new Set(diagnostics.map(({ address }) => address))).toEqual(
    new Set([
      "terraform",
      "module.m",
      "null_resource.remote",
      "null_resource.connected",
      "null_resource.dynamic",
      "aws_instance.other",
      "data.terraform_remote_state.s3",
      "data.terraform_remote_state.late",
      "output.gzip",
      "output.hash",
      "output.key",
      "output.applying",
      "output.module",
    ]),
  );
  for (const detail of details) expect(detail).toContain("Terraform can run the stack.");
});

test("no function is refused that the executor has", () => {
  const refused = Object.values(REFUSALS).filter(({ kind }) => kind === "function");
  expect(refused.filter(({ name }) => functions.has(name))).toEqual([]);
});
