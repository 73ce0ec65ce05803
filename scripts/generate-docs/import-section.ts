import { constraintsOf } from "../generate-props/constraints";
import type { Attributes } from "../../src/provider/schema/attribute";
import { codeBlock, type Example } from "./example";

interface Importable {
  readonly type: string;
  readonly attributes: Attributes;
  readonly importId?: string;
  readonly insteadOfImport?: string;
}

/** With the natural ID; the object is the example's. */
export function importSection(definition: Importable, { hcl }: Example): string {
  const { type, importId, insteadOfImport } = definition;
  if (importId === undefined) {
    if (insteadOfImport === undefined) throw new Error(`Nothing says how ${type} is imported.`);
    return `## Import\n\nNothing is imported. ${insteadOfImport}`;
  }
  const name = new RegExp(`^resource "${type}" "(\\w+)"`, "m").exec(hcl)?.[1];
  if (name === undefined) throw new Error(`The example of ${type} has none.`);
  const address = `${type}.${name}`;
  return [
    "## Import",
    `The ID is \`${importId}\`${parts(definition, importId)}.`,
    codeBlock("terraform", `import {\n  to = ${address}\n  id = "${importId}"\n}`),
    "Or on the command line, with Terraform or without:",
    codeBlock(
      "shell",
      `terraform import ${address} ${importId}\ncdktf-console import STACK ${address} ${importId}`,
    ),
  ].join("\n\n");
}

/** An ordered collection that can be shared is imported in parts too. */
function parts({ attributes: { ownership } }: Importable, importId: string): string {
  const offers = ownership ? (constraintsOf(ownership.type).values ?? []) : [];
  const [first, last] = [offers.includes("prefix"), offers.includes("suffix")];
  return first && last
    ? `, for all there are, which makes \`ownership\` \`exclusive\`; \`${importId}:prefix:N\` and \`${importId}:suffix:N\` take the first and the last N`
    : "";
}
