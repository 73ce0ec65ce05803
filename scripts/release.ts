/**
 * Builds the files of a release: executables for each platform, packed as a provider and as the
 * command, with their checksums, signature and bill of materials. All but the signature has the same
 * bytes in each build.
 *
 *   tsx scripts/release.ts [FOLDER [PLATFORM...]]   (default: release, with all platforms)
 *
 * In two steps, between which a platform's own tools sign executables or add some:
 *
 *   tsx scripts/release.ts prepare WORK     writes WORK/content and WORK/OS_ARCH/cdktf-console
 *   tsx scripts/release.ts pack WORK FOLDER
 *
 * RELEASE_SIGNING_KEY is the armored private key, RELEASE_SIGNING_PASSPHRASE its passphrase. Without
 * them, a throw-away key signs. With RELEASE_STORED, archives are not compressed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./release/executable";
import { pack } from "./release/pack";

async function main([first = "release", ...others]: readonly string[]): Promise<void> {
  const [second = "", third = ""] = others;
  if (first === "prepare") return prepare(second);
  if (first === "pack") return pack(second, third);
  const work = mkdtempSync(join(tmpdir(), "cdktf-console-release-"));
  try {
    await prepare(work, others);
    await pack(work, first);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
