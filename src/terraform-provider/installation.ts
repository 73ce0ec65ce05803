import { memberOf } from "../core/member-of";
import type { ZipOptions, ZippableFile } from "fflate";
import { chmod, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../core/io/make-folder";
import { readFile } from "../core/io/read-file";
import { EXTRA_CA_VARIABLE } from "../core/io/extra-authorities";
import { IS_EXECUTABLE, readPackageFile } from "../core/io/package-files";
import { writeFileNow } from "../core/io/write-file";
import { REGISTRIES } from "../core/registries";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";
import { nullProvider } from "../core/providers/null-provider";
import { describeMirror } from "./network-mirror";

/** The start of the provider, in the package. This file is two folders below it, built or not. */
export const PROVIDER_BUNDLE = join(__dirname, "../../dist/provider.js");

/** The bundle, next to the launcher, and the files that it loads. */
const BUNDLE = "provider.js";
const LOADED = ["provider-main.js", "provider-calls.js"];
/** The licences of what the bundle contains, next to it in the package and wherever it is installed. */
const NOTICE = "NOTICE.txt";
const LICENSE = "LICENSE";

/** An executable of a release installs itself; other copies of the package install scripts. */
const THIS_EXECUTABLE = IS_EXECUTABLE ? process.execPath : undefined;

/** A platform in Terraform's names: `linux` and `amd64` of `linux_amd64`. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Names the platform of this machine, or another one in Node's names. */
export function platformOf(os: string = process.platform, arch: string = process.arch): Platform {
  return { os: memberOf(SYSTEMS, os) ?? os, arch: memberOf(ARCHITECTURES, arch) ?? arch };
}

/**
 * The installations of the console's provider, one for each default registry.
 *
 * @param executable - the path of an executable for the platform; without it scripts are installed
 */
export function consoleInstallations(
  platform = platformOf(),
  executable = THIS_EXECUTABLE,
): readonly Installation[] {
  return installations(PROVIDER_SOURCE, PROVIDER_VERSION, platform, executable);
}

/**
 * The installations of our null_resource as hashicorp/null, for machines without access to a
 * registry. It has the version of the original that the constructs require.
 */
export function nullInstallations(
  platform = platformOf(),
  executable = THIS_EXECUTABLE,
): readonly Installation[] {
  return installations(nullProvider.source, "3.2.4", platform, executable);
}

/** An installed provider in a folder of plugins: a mirror or `terraform.d/plugins`. */
export interface Installation {
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly address: string;
  readonly version: string;
  /** Path in the folder of plugins, with slashes. */
  readonly folder: string;
  /** The files. Scripts are equal on every machine, so that one lock file serves all of them. */
  readonly files: readonly InstalledFile[];
}

interface InstalledFile {
  readonly name: string;
  readonly mode: number;
  /** Default: that of the file of this name in the package. */
  readonly content?: { readonly text: string } | { readonly path: string };
}

/** Terraform and OpenTofu complete a source by their own registry, and look for it there only. */
function installations(
  source: string,
  version: string,
  { os, arch }: Platform,
  executable: string | undefined,
): readonly Installation[] {
  const type = source.split("/").at(-1) ?? source;
  const program = `terraform-provider-${type}_v${version}`;
  const files =
    executable === undefined
      ? [
          ...[BUNDLE, ...LOADED, NOTICE].map((name) => ({ name, mode: 0o644 })),
          { name: program, mode: 0o755, content: { text: launcher(source) } },
        ]
      : [
          ...[LICENSE, NOTICE].map((name) => ({ name, mode: 0o644 })),
          {
            name: os === "windows" ? `${program}.exe` : program,
            mode: 0o755,
            content: { path: executable },
          },
        ];
  return REGISTRIES.map((registry) => ({
    address: `${registry}/${source}`,
    version,
    folder: `${registry}/${source}/${version}/${os}_${arch}`,
    files,
  }));
}

/**
 * `exec` makes the provider the process that Terraform starts and kills. Terraform shows output
 * that is not a handshake.
 */
function launcher(source: string): string {
  const argument = source === nullProvider.source ? " null" : "";
  return [
    "#!/bin/sh",
    "if ! command -v node >/dev/null; then",
    "  echo 'This provider requires Node.js 20.18.1 or newer, but there is no node in PATH.'",
    "  exit 1",
    "fi",
    "# Node reads this file at every start. The provider reads it for a console that needs it.",
    'if [ -r "${NODE_EXTRA_CA_CERTS:-}" ]; then',
    `  export ${EXTRA_CA_VARIABLE}="$NODE_EXTRA_CA_CERTS"`,
    "  unset NODE_EXTRA_CA_CERTS",
    "fi",
    `exec node "\${0%/*}/${BUNDLE}"${argument}`,
    "",
  ].join("\n");
}

/** Others may not write to folders of programs, whatever the umask. */
const FOLDER_MODE = 0o755;

/**
 * Installs a provider in a folder of plugins. Files of the same version are replaced atomically, so
 * that Terraform can start it at any time.
 */
export async function install(
  plugins: string,
  { folder, files }: Installation,
  bundle: string,
): Promise<string> {
  const target = join(plugins, folder);
  makeFolder(target, FOLDER_MODE);
  for (const installed of files) {
    const { name, mode } = installed;
    const file = join(target, name);
    const draft = `${file}.${process.pid}`;
    try {
      writeFileNow(draft, await contentOf(installed, bundle), "replace", mode);
      await chmod(draft, mode);
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }
  return target;
}

/** The content of a file; by default that of the file beside the bundle, which has any name. */
async function contentOf({ name, content }: InstalledFile, bundle: string): Promise<Buffer> {
  if (content === undefined) {
    return readPackageFile(name === BUNDLE ? bundle : join(dirname(bundle), name));
  }
  return "text" in content ? Buffer.from(content.text) : readFile(content.path);
}

/** The earliest time of zip entries, so that equal providers make equal files. */
const EPOCH = new Date(1980, 0, 1);
/** The system of zip entries that have file modes. */
const UNIX = 3;
const REGULAR_FILE = 0o100000;

/** The name of a packed provider, in mirrors and in releases. */
export function packedName({ address, version, folder }: Installation): string {
  const type = address.split("/").at(-1) ?? address;
  const platform = folder.split("/").at(-1) ?? folder;
  return `terraform-provider-${type}_${version}_${platform}.zip`;
}

/** Packs a provider as a zip file. */
export async function packProvider(
  { files }: Installation,
  bundle: string,
  options: ZipOptions = {},
): Promise<Uint8Array> {
  const { zipSync } = await import("fflate");
  const entries = await Promise.all(
    files.map(async (file): Promise<[string, ZippableFile]> => {
      const attrs = ((REGULAR_FILE | file.mode) << 16) >>> 0;
      return [file.name, [await contentOf(file, bundle), { os: UNIX, attrs, mtime: EPOCH }]];
    }),
  );
  return zipSync(Object.fromEntries(entries), options);
}

/** Installs a provider as a zip file in a mirror. Returns the path of the file. */
export async function installPacked(
  mirror: string,
  installation: Installation,
  bundle: string,
): Promise<string> {
  return putPacked(mirror, installation, await packProvider(installation, bundle));
}

/** Writes a packed provider into a mirror, which it describes for hosts of the mirror. */
export function putPacked(mirror: string, installation: Installation, zip: Uint8Array): string {
  const folder = join(mirror, installation.address);
  const file = join(folder, packedName(installation));
  makeFolder(folder, FOLDER_MODE);
  writeFileNow(file, zip, "replace", 0o644);
  describeMirror(folder);
  return file;
}
