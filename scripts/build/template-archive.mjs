import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { zipSync } from "fflate";

/** Zip cannot hold earlier times. A fixed one gives the same bytes in each build. */
const TIME = new Date("1980-01-02T00:00:00Z");

/**
 * Packs the template of projects for `cdktf init --template URL`, which takes the address of a zip
 * file only.
 */
export async function templateArchive() {
  const folder = "templates/typescript";
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))]),
  );
  return zipSync(Object.fromEntries(files), { mtime: TIME });
}
