import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../definitions";

const EXAMPLES = join(ROOT, "examples");

/** An example in both languages. Tests plan its files. */
export interface Example {
  readonly hcl: string;
  readonly typescript: string;
}

/** Reads an example by its path below examples/ without the ending: `resources/cwp_license/resource`. */
export function readExample(path: string): Example {
  const read = (ending: string) => readFileSync(join(EXAMPLES, `${path}.${ending}`), "utf8");
  return { hcl: read("tf").trim(), typescript: read("ts").trim() };
}

export function exampleSection({ hcl, typescript }: Example): string {
  const fragment = typescript.replace(IMPORT_OF_STACK, "");
  const where =
    fragment === typescript
      ? "In TypeScript:"
      : "In TypeScript, where `stack` is a `TerraformStack` with a `ConsoleProvider`:";
  return [
    "## Example Usage",
    codeBlock("terraform", hcl),
    where,
    codeBlock("typescript", fragment),
  ].join("\n\n");
}

/** The statements of an example in TypeScript, for a doc comment. */
export function withoutImports(typescript: string): string {
  return typescript.replace(/^import .*\n+/gm, "").trim();
}

const IMPORT_OF_STACK = /^import \{ stack \} from .*\n/m;

export function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
