import { createHash } from "node:crypto";
import { join } from "node:path";
import { readFile, readTextFile } from "../core/io/read-file";
import { packedName, putPacked, type Installation } from "./installation";

/** The checksums of the files of a release, as sha256sum prints them. */
export const CHECKSUMS = "SHA256SUMS";

/** A file that is not what the checksums of its release say. */
export class ChangedFileError extends Error {
  override readonly name = "ChangedFileError";
}

/** Puts the packed providers in the folder of a release into a mirror, after it compared their checksums. */
export function packedFrom(folder: string) {
  return async (mirror: string, installation: Installation): Promise<string> => {
    const name = packedName(installation);
    const sums = await readTextFile(join(folder, CHECKSUMS));
    const zip = await readFile(join(folder, name));
    const digest = createHash("sha256").update(zip).digest("hex");
    if (!sums.split("\n").includes(`${digest}  ${name}`)) {
      throw new ChangedFileError(
        `${join(folder, name)} does not have the checksum in ${CHECKSUMS}.`,
      );
    }
    return putPacked(mirror, installation, zip);
  };
}
