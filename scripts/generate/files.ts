import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** What a generator makes: texts by absolute path, and the folders that hold nothing else. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

/** Writes the files. With `check`: gives 1, and writes nothing, where one is not as it would be. */
export async function writeOrCheck(generated: Generated, check: boolean): Promise<number> {
  if (!check) {
    await Promise.all([...generated.files].map(([path, text]) => write(path, text)));
    return 0;
  }
  const stale = await drift(generated);
  for (const path of stale) console.error(`${relative(ROOT, path)} is out of date.`);
  if (stale.length > 0) console.error("Run: npm run generate");
  return stale.length > 0 ? 1 : 0;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function drift({ files, folders }: Generated): Promise<string[]> {
  const present = await Promise.all(folders.map(filesIn));
  const paths = [...new Set([...files.keys(), ...present.flat()])].sort();
  const stale = await Promise.all(
    paths.map(async (path) => {
      const found = await readFile(path, "utf8").catch(() => undefined);
      return found === files.get(path) ? [] : [path];
    }),
  );
  return stale.flat();
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}
