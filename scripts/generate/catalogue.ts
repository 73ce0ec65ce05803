import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "./definitions";
import { formatted, type Generated } from "./files";

const CATALOGUE = join(ROOT, "src/api/catalogue");

/** The list of the catalogue's kinds, which have one JSON file each. */
export async function catalogueKinds(): Promise<Generated> {
  const kinds = readdirSync(join(CATALOGUE, "kinds"))
    .map((file) => basename(file, ".json"))
    .sort();
  const source = [
    ...kinds.map((kind) => `import ${kind} from "./kinds/${kind}.json";`),
    "",
    "/** The kinds of the catalogue as their files have them. */",
    `export const KINDS = { ${kinds.join(", ")} };`,
  ].join("\n");
  return { files: await formatted({ [join(CATALOGUE, "kinds.ts")]: source }), folders: [] };
}
