import { readFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZippableFile } from "fflate";
import type { Installation } from "./installation";

/** The first time that a zip file can tell: the same provider makes the same file. */
const EPOCH = new Date(1980, 0, 1);
/** Who made a zip entry, so that its modes count. */
const UNIX = 3;
const REGULAR_FILE = 0o100000;

/** Where a packed provider lies below the folder of a mirror, with slashes. */
function packedPath({ address, version, folder }: Installation): string {
  const type = address.split("/").at(-1) ?? address;
  const platform = folder.split("/").at(-1) ?? folder;
  return `${address}/terraform-provider-${type}_${version}_${platform}.zip`;
}

/** Puts a provider as a zip file below the folder of a mirror. Gives the path of the file. */
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
