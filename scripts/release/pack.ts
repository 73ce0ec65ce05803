/** The archives of executables, and what a registry and users need to trust them. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "fflate";
import { createTar } from "nanotar";
import { name, version } from "../../package.json";
import {
  consoleInstallations,
  packedName,
  packProvider,
} from "../../src/terraform-provider/installation";
import { CHECKSUMS } from "../../src/terraform-provider/released";
import { billOfExecutables } from "../sbom";
import { executableName } from "./executable";
import { NODE_VERSION } from "./platforms";
import { sign, throwAwayKey } from "./signature";

const ROOT = join(__dirname, "../..");

/** The manifest by which a registry knows the plugin protocol. */
const MANIFEST = { version: 1, metadata: { protocol_versions: ["6.0"] } };

const NODE = {
  type: "framework",
  name: "node",
  version: NODE_VERSION,
  purl: `pkg:generic/node@${NODE_VERSION}`,
  licenses: [{ license: { id: "MIT" } }],
};

/** The page that a stranger starts with. */
const README = join(ROOT, "docs/executables.md");

/** The examples that need no Node. */
const EXAMPLES = ["examples/hcl", "examples/synthesized"];

/** Tests pack without compression, which takes ten seconds a file. */
const PACKING = process.env.RELEASE_STORED ? ({ level: 0 } as const) : {};

/** Packs the executables in the folders `OS_ARCH` of `work`. */
export async function pack(work: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const platform of readdirSync(work).sort()) {
    const [os = "", arch = ""] = platform.split("_");
    const executable = join(work, platform, executableName(os));
    if (!existsSync(executable)) continue;
    const [installation] = consoleInstallations({ os, arch }, executable);
    if (!installation) throw new Error("there is no registry");
    // The licences are beside the executable's other files.
    const zip = await packProvider(installation, join(work, "provider.js"), PACKING);
    writeFileSync(join(folder, packedName(installation)), zip);
    const file = `cdktf-console_${version}_${platform}.tar.gz`;
    writeFileSync(join(folder, file), packCommand(work, executable, executableName(os)));
  }
  writeJson(join(folder, `terraform-provider-cwp_${version}_manifest.json`), MANIFEST);
  const bill = billOfExecutables({ name, version }, ["@cdktn/hcl2json"], NODE);
  writeJson(join(folder, `cdktf-console_${version}_sbom.json`), bill);
  copyFileSync(README, join(folder, "README.md"));
  const sums = readdirSync(folder)
    .sort()
    .map((file) => `${digestOf(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, CHECKSUMS), sums.join(""));
  signSums(folder);
}

function packCommand(work: string, executable: string, name: string): Uint8Array {
  const files = [
    { name, path: executable, mode: "755" },
    ...["LICENSE", "NOTICE.txt"].map((name) => ({ name, path: join(work, name), mode: "644" })),
    ...examples().map((name) => ({ name, path: join(ROOT, name), mode: "644" })),
  ];
  const entries = files.map(({ name, path, mode }) => {
    return { name, data: readFileSync(path), attrs: { mode, uid: 0, gid: 0, mtime: 0 } };
  });
  return gzipSync(createTar(entries), { ...PACKING, mtime: 0 });
}

/** The files of the examples that git has: a run leaves others beside them. */
function examples(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", ...EXAMPLES], { cwd: ROOT, encoding: "utf8" });
  return listed.trim().split("\n").sort();
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
