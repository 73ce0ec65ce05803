/**
 * Writes src/constructs/props/ from the provider's definitions: one file a construct, with its props
 * and, where the provider computes something, its attributes. Interfaces are generated since mapped
 * types lose doc comments.
 *
 *   tsx scripts/generate-props.ts           writes
 *   tsx scripts/generate-props.ts --check   fails where a file is not what would be written
 */
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { format, resolveConfig } from "prettier";
import { propsFile } from "./generate-props/props-file";
import { CONSTRUCTS } from "./generate-props/constructs";

const FOLDER = resolve(__dirname, "../src/constructs/props");

export async function generateProps(check: boolean): Promise<number> {
  const style = await resolveConfig(join(FOLDER, "any.ts"));
  const files = new Map<string, string>();
  for (const construct of CONSTRUCTS) {
    const source = await format(propsFile(construct), { ...style, parser: "typescript" });
    files.set(`${kebabCase(construct.name)}.ts`, source);
  }
  if (!check) {
    await Promise.all([...files].map(([name, source]) => writeFile(join(FOLDER, name), source)));
    return 0;
  }
  const stale = await drift(files);
  for (const name of stale) console.error(`src/constructs/props/${name} is out of date.`);
  if (stale.length > 0) console.error("Run: npm run generate");
  return stale.length > 0 ? 1 : 0;
}

async function drift(files: ReadonlyMap<string, string>): Promise<string[]> {
  const present = await readdir(FOLDER);
  const names = [...new Set([...files.keys(), ...present])].sort();
  const stale = await Promise.all(
    names.map(async (name) => {
      const found = present.includes(name) ? await readFile(join(FOLDER, name), "utf8") : undefined;
      return found !== files.get(name);
    }),
  );
  return names.filter((_, index) => stale[index]);
}

function kebabCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, "-$&").toLowerCase();
}

if (require.main === module) {
  void generateProps(process.argv.includes("--check")).then((code) => (process.exitCode = code));
}
