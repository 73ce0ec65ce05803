import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { App, type TerraformStack } from "cdktf";
import type * as Stack from "../../../examples/stack";
import { PROVIDER_NAME, PROVIDER_SOURCE } from "../../../src/provider/identity";
import { packedPackage } from "../../support/packed-package";

const EXAMPLES = join(__dirname, "../../../examples");
const PACKED = join(packedPackage().modules, "cdktf-console/examples");

/**
 * An example of a page: `hcl` and `typescript` are files that should say the same. The folder and its
 * HCL are those of the packed package; test/examples/programs.test.ts runs its TypeScript.
 */
export interface Example {
  /** `resources-cwp_license`, as modules and stacks are called. */
  readonly name: string;
  readonly folder: string;
  readonly hcl: string;
  readonly typescript: string;
}

export const EXAMPLES_OF_PAGES = [
  "resources",
  "data-sources",
  "ephemeral-resources",
  "functions",
].flatMap(examplesOf);

/** Needs Terraform 1.14 or newer. */
export const EXAMPLES_OF_ACTIONS = examplesOf("actions");

function examplesOf(kind: string): readonly Example[] {
  return readdirSync(join(EXAMPLES, kind)).map((name) => {
    const folder = join(PACKED, kind, name);
    const file = kind.replace(/s$/, "");
    const typescript = join(EXAMPLES, kind, name, `${file}.ts`);
    return { name: `${kind}-${name}`, folder, hcl: join(folder, `${file}.tf`), typescript };
  });
}

/** Returns the name of an example as a module of the root. */
export function moduleName({ name }: Example, language: "hcl" | "typescript"): string {
  return `${name}-${language}`;
}

/** The example's HCL, as the folder of a module. */
export function writeHclModule(example: Example, folder: string): void {
  cpSync(example.folder, folder, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  const terraform = { required_providers: { [PROVIDER_NAME]: { source: PROVIDER_SOURCE } } };
  writeFileSync(join(folder, "versions.tf.json"), JSON.stringify({ terraform }));
}

let current: TerraformStack | undefined;
jest.mock("../../../examples/stack", () => ({
  get stack() {
    return current;
  },
}));

/** Synthesizes the examples as one app, a stack each. Once in a test file. */
export function synthesizeExamples(examples: readonly Example[], outdir: string): void {
  const { exampleStack } = jest.requireActual<typeof Stack>("../../../examples/stack");
  const app = new App({ outdir });
  for (const example of examples) {
    current = exampleStack(app, example.name);
    jest.requireActual(example.typescript);
  }
  app.synth();
}

/** The same as modules: `folderOf` says where its module is to be. */
export function writeTypescriptModules(
  examples: readonly Example[],
  outdir: string,
  folderOf: (example: Example) => string,
): void {
  synthesizeExamples(examples, outdir);
  for (const example of examples) {
    moveStack(join(outdir, "stacks", example.name), folderOf(example));
  }
}

/** Converts a stack to a module, without provider configuration and backend. */
function moveStack(stack: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(stack, folder, { recursive: true, filter: (path) => basename(path) !== "cdk.tf.json" });
  const document = readJson(join(stack, "cdk.tf.json"));
  const terraform = { ...document.terraform, backend: undefined };
  const content = { ...document, provider: undefined, terraform };
  writeFileSync(join(folder, "cdk.tf.json"), JSON.stringify(content));
}

function readJson(path: string): { readonly terraform: object } {
  return JSON.parse(readFileSync(path, "utf8")) as { terraform: object };
}
