/**
 * Node for each platform of a release, from npm, by checksum.
 *
 *   tsx scripts/release/node-programs.ts   prints the program of each platform, for verify-node.sh
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_VERSION, PLATFORMS, type NodePackage } from "./platforms";

/**
 * Returns the folder of an unpacked package of Node. It is kept in the folder for temporary files, so
 * that later builds download nothing.
 */
export function nodePackage({ name, integrity }: NodePackage): string {
  const digest = createHash("sha256").update(integrity).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), `${name}-${NODE_VERSION}-${digest}-of-cdktf-console`);
  if (existsSync(folder)) return folder;
  // Elsewhere first, so that what is there is whole.
  const draft = mkdtempSync(`${folder}-`);
  try {
    execFileSync("npm", ["pack", `${name}@${NODE_VERSION}`, "--silent"], { cwd: draft });
    const file = join(draft, `${name}-${NODE_VERSION}.tgz`);
    const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} ${NODE_VERSION} has the checksum ${found}`);
    execFileSync("tar", ["xzf", file, "--strip-components", "1", "-C", draft]);
    rmSync(file);
    renameSync(draft, folder);
  } catch (failure) {
    // Another build may have been faster.
    if (!existsSync(folder)) throw failure;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

if (require.main === module) {
  for (const one of PLATFORMS) {
    const program = join(nodePackage(one), one.program);
    process.stdout.write(`${one.name.replace("node-", "")}=${program}\n`);
  }
}
