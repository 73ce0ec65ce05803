import { constraintsOf } from "../constructs/constraints";
import { hasExtraJson, WHOLE } from "../../../src/provider/collections/import-collection";
import type { Attributes } from "../../../src/core/schema/attribute";
import { codeBlock, type Example } from "./example";

interface Importable {
  readonly type: string;
  readonly attributes: Attributes;
  readonly importId?: string;
  readonly importExample?: string;
  readonly insteadOfImport?: string;
  readonly collection?: { readonly list: string };
}

/** Returns the import section, for the object of the example or for the whole collection. */
export function importSection(definition: Importable, { hcl }: Example): string {
  const { type, importExample, importId = importExample, insteadOfImport } = definition;
  if (importId === undefined) {
    if (insteadOfImport === undefined)
      throw new Error(`${type} has no import and no insteadOfImport.`);
    return `## Import\n\nThe resource cannot be imported. ${insteadOfImport}`;
  }
  const name = new RegExp(`^resource "${type}" "(\\w+)"`, "m").exec(hcl)?.[1];
  if (name === undefined) throw new Error(`The example of ${type} has no such resource.`);
  const offers = ownershipsOf(definition);
  const address = `${type}.${offers.length > 0 ? "all" : name}`;
  return [
    "## Import",
    `The ID is \`${importId}\`${parts(offers, importId)}.${extraMembers(definition, importId)}`,
    codeBlock("terraform", `import {\n  to = ${address}\n  id = "${importId}"\n}`),
    "On the command line, with Terraform or with the embedded executor:",
    codeBlock(
      "shell",
      `terraform import ${address} ${importId}\ncdktf-console import STACK ${address} ${importId}`,
    ),
  ].join("\n\n");
}

function ownershipsOf({ attributes: { ownership } }: Importable): readonly unknown[] {
  return ownership ? (constraintsOf(ownership.type).values ?? []) : [];
}

function extraMembers({ attributes, collection }: Importable, importId: string): string {
  if (!collection || !hasExtraJson({ attributes, list: collection.list })) return "";
  return ` With \`${WHOLE}\` at its end, as in \`${importId}${WHOLE}\`, it imports members without an attribute into \`extra_json\`.`;
}

/** Describes the import IDs of a collection. */
function parts(offers: readonly unknown[], importId: string): string {
  if (offers.length === 0) return "";
  const inParts = offers.includes("prefix") && offers.includes("suffix");
  return [
    ", which imports all entries with `ownership` `exclusive`",
    inParts &&
      `; \`${importId}:prefix:N\` and \`${importId}:suffix:N\` import the first and the last N entries`,
    ". A configuration with another `ownership` replaces the imported object",
    offers.includes("shared") &&
      "; with `shared` no import is needed, because an apply adopts entries that are as configured",
  ]
    .filter((part) => part !== false)
    .join("");
}
