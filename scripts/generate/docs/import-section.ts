import { constraintsOf } from "../constructs/constraints";
import type { Attributes } from "../../../src/provider/schema/attribute";
import { codeBlock, type Example } from "./example";

interface Importable {
  readonly type: string;
  readonly attributes: Attributes;
  readonly importId?: string;
  readonly insteadOfImport?: string;
}

/** With the natural ID. The object is the example's, unless that may manage but a part of what the ID is for. */
export function importSection(definition: Importable, { hcl }: Example): string {
  const { type, importId, insteadOfImport } = definition;
  if (importId === undefined) {
    if (insteadOfImport === undefined) throw new Error(`Nothing says how ${type} is imported.`);
    return `## Import\n\nNothing is imported. ${insteadOfImport}`;
  }
  const name = new RegExp(`^resource "${type}" "(\\w+)"`, "m").exec(hcl)?.[1];
  if (name === undefined) throw new Error(`The example of ${type} has none.`);
  const offers = ownershipsOf(definition);
  const address = `${type}.${offers.length > 0 ? "all" : name}`;
  return [
    "## Import",
    `The ID is \`${importId}\`${parts(offers, importId)}.`,
    codeBlock("terraform", `import {\n  to = ${address}\n  id = "${importId}"\n}`),
    "Or on the command line, with Terraform or without:",
    codeBlock(
      "shell",
      `terraform import ${address} ${importId}\ncdktf-console import STACK ${address} ${importId}`,
    ),
  ].join("\n\n");
}

function ownershipsOf({ attributes: { ownership } }: Importable): readonly unknown[] {
  return ownership ? (constraintsOf(ownership.type).values ?? []) : [];
}

/** What of a collection is imported; an ordered one in parts too. */
function parts(offers: readonly unknown[], importId: string): string {
  if (offers.length === 0) return "";
  const inParts = offers.includes("prefix") && offers.includes("suffix");
  return [
    ", for all there are, which makes `ownership` `exclusive`",
    inParts &&
      `; \`${importId}:prefix:N\` and \`${importId}:suffix:N\` take the first and the last N`,
    ". A configuration that says another `ownership` replaces what was imported",
    offers.includes("shared") &&
      "; for `shared` nothing needs to be imported, since an apply takes over what is as configured",
  ]
    .filter((part) => part !== false)
    .join("");
}
