import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "../../src/simulator/new-identity";

/**
 * The consoles of a run of jest share the identity that the first one has made: keys take longer than
 * the start of a console, and the packages that make certificates longer than those of the console.
 */
export async function newIdentity(addresses: readonly string[]): Promise<Identity> {
  const name = createHash("sha256").update(addresses.join()).digest("hex");
  const file = join(tmpdir(), `identity-${name}.json`);
  if (!existsSync(file)) {
    const real = await import("../../src/simulator/new-identity.js");
    const draft = `${file}-${process.pid}`;
    writeFileSync(draft, JSON.stringify(await real.newIdentity(addresses)));
    renameSync(draft, file);
  }
  return JSON.parse(readFileSync(file, "utf8")) as Identity;
}
