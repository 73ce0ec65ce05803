import { readFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZippableFile } from "fflate";
import type { Installation } from "./installation";

/** The earliest time of zip entries, so that equal providers make equal files. */
const EPOCH = new Date(1980, 0, 1);
/** The system of zip entries that have file modes. */
const UNIX = 3;
const REGULAR_FILE = 0o100000;

/** The path of a packed provider in a mirror, with slashes. */
function packedPath({ address, version, folder }: Installation): string {
  const type = address.split("/").at(-1) ?? address;
  const platform = folder.split("/").at(-1) ?? folder;
  return `${address}/terraform-provider-${type}_${version}_${platform}.zip`;
}

/** Installs a provider as a zip file in a mirror. Returns the path of the file. */
export async function installPacked(
  mirror: string,
  installation: Installation,
  bundle: string,
): Promise<string> {
  const { zipSync } = await import("fflate");
  const entries = await Promise.all(
    installation.files.map(async ({ name, mode, text }): Promise<[string, ZippableFile]> => {
      const content = text === undefined ? await readFile(bundle) : Buffer.from(text);
      return [
        name,
        [content, { os: UNIX, attrs: ((REGULAR_FILE | mode) << 16) >>> 0, mtime: EPOCH }],
      ];
    }),
  );
  const file = join(mirror, packedPath(installation));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, zipSync(Object.fromEntries(entries)));
  return file;
}
