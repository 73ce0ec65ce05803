/**
 * Writes src/constructs/props/ from the provider's definitions: one file a construct, with its props
 * and, where the provider computes something, its attributes. Interfaces are generated since mapped
 * types lose doc comments.
 *
 *   tsx scripts/generate-props.ts           writes
 *   tsx scripts/generate-props.ts --check   fails where a file is not what would be written
 */
import { join, resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { propsFile } from "./constructs/props-file";
import { CONSTRUCTS } from "./constructs/constructs";
import { writeOrCheck } from "./files";

const FOLDER = resolve(__dirname, "../../src/constructs/props");

export async function generateProps(check: boolean): Promise<number> {
  const style = await resolveConfig(join(FOLDER, "any.ts"));
  const files = new Map<string, string>();
  for (const construct of CONSTRUCTS) {
    const source = await format(propsFile(construct), { ...style, parser: "typescript" });
    files.set(join(FOLDER, `${kebabCase(construct.name)}.ts`), source);
  }
  return writeOrCheck({ files, folders: [FOLDER] }, check);
}

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, "-$&").toLowerCase();
}

if (require.main === module) {
  void generateProps(process.argv.includes("--check")).then((code) => (process.exitCode = code));
}
