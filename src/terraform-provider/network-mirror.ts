import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readFileNow } from "../core/io/read-file";
import { writeFileNow } from "../core/io/write-file";

const PACKED = /^terraform-provider-[^_]+_(?<version>[^_]+)_(?<platform>[^_]+_[^_]+)\.zip$/;

/**
 * Writes `index.json` and `VERSION.json` into the folder of a packed provider. Any host of static
 * files over HTTPS then serves the folder as a network mirror.
 */
export function describeMirror(folder: string): void {
  const versions = new Map<string, Record<string, Archive>>();
  for (const name of readdirSync(folder).sort()) {
    const { version, platform } = PACKED.exec(name)?.groups ?? {};
    if (version === undefined || platform === undefined) continue;
    const digest = createHash("sha256")
      .update(readFileNow(join(folder, name)))
      .digest("hex");
    const archives = versions.get(version) ?? {};
    versions.set(version, { ...archives, [platform]: { url: name, hashes: [`zh:${digest}`] } });
  }
  const write = (name: string, content: object): void => {
    writeFileNow(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, "replace", 0o644);
  };
  write("index.json", {
    versions: Object.fromEntries([...versions.keys()].map((key) => [key, {}])),
  });
  for (const [version, archives] of versions) write(`${version}.json`, { archives });
}

/** A packed provider, relative to the description. */
interface Archive {
  readonly url: string;
  readonly hashes: readonly string[];
}
