/**
 * Builds the files of a release: executables for each platform, packed as a provider and as the
 * command, with their checksums, signature and bill of materials. All but the signature has the same
 * bytes in each build.
 *
 *   tsx scripts/release.ts [FOLDER [PLATFORM...]]   (default: release, with all platforms)
 *
 * RELEASE_SIGNING_KEY is the armored private key, RELEASE_SIGNING_PASSPHRASE its passphrase. Without
 * them, a throw-away key signs.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "fflate";
import { createTar } from "nanotar";
import { name, version } from "../package.json";
import {
  consoleInstallations,
  packedName,
  packProvider,
} from "../src/terraform-provider/installation";
import { CHECKSUMS } from "../src/terraform-provider/released";
import { prepareContent, writeExecutable } from "./release/executable";
import { NODE_VERSION, PLATFORMS, type NodePackage } from "./release/platforms";
import { sign, throwAwayKey } from "./release/signature";
import { billOfExecutables } from "./sbom";

/** The manifest by which a registry knows the plugin protocol. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

async function release(folder: string, names: readonly string[]): Promise<void> {
  const platforms = PLATFORMS.filter(
    ({ os, arch }) => names.length === 0 || names.includes(`${os}_${arch}`),
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "cdktf-console-release-"));
  try {
    const content = await prepareContent(work);
    for (const platform of platforms) await pack(folder, work, platform, content);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const prefix = `terraform-provider-cwp_${version}`;
  writeJson(join(folder, `${prefix}_manifest.json`), MANIFEST);
  writeJson(
    join(folder, `cdktf-console_${version}_sbom.json`),
    billOfExecutables({ name, version }, ["@cdktn/hcl2json"], NODE),
  );
  copyFileSync(join(__dirname, "../docs/guides/executables.md"), join(folder, "README.md"));
  const sums = readdirSync(folder)
    .sort()
    .map((file) => `${digestOf(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, CHECKSUMS), sums.join(""));
  signSums(folder);
}

const NODE = {
  type: "framework",
  name: "node",
  version: NODE_VERSION,
  purl: `pkg:generic/node@${NODE_VERSION}`,
  licenses: [{ license: { id: "MIT" } }],
};

/** Writes the archives of a platform. */
async function pack(
  folder: string,
  work: string,
  platform: NodePackage,
  content: string,
): Promise<void> {
  const executable = writeExecutable(work, platform, content);
  const [installation] = consoleInstallations(platform, executable);
  if (!installation) throw new Error("there is no registry");
  const zip = await packProvider(installation, join(work, "provider.js"));
  writeFileSync(join(folder, packedName(installation)), zip);
  const files = [
    { file: executable, mode: "755" },
    { file: join(work, "LICENSE"), mode: "644" },
    { file: join(work, "NOTICE.txt"), mode: "644" },
  ];
  const tar = createTar(
    files.map(({ file, mode }) => ({
      name: basename(file),
      data: readFileSync(file),
      attrs: { mode, uid: 0, gid: 0, mtime: 0 },
    })),
  );
  const name = `cdktf-console_${version}_${platform.os}_${platform.arch}.tar.gz`;
  writeFileSync(join(folder, name), gzipSync(tar, { mtime: 0 }));
}

function signSums(folder: string): void {
  const { RELEASE_SIGNING_KEY: key = "", RELEASE_SIGNING_PASSPHRASE: passphrase = "" } =
    process.env;
  const given = key === "" ? throwAwayKey() : { key, passphrase };
  const fingerprint = sign(join(folder, CHECKSUMS), join(folder, "signing-key.asc"), given);
  const which = key === "" ? "a throw-away key, since RELEASE_SIGNING_KEY is not set" : "the key";
  process.stdout.write(`Signed by ${which}: ${fingerprint}\n`);
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

const [folder = "release", ...names] = process.argv.slice(2);
void release(folder, names);
