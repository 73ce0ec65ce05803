import { memberOf } from "../core/member-of";
import type { ZippableFile } from "fflate";
import { chmod, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../core/io/make-folder";
import { readFile } from "../core/io/read-file";
import { EXTRA_CA_VARIABLE } from "../core/io/extra-authorities";
import { writeFileNow } from "../core/io/write-file";
import { REGISTRIES } from "../core/registries";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";
import { nullProvider } from "../core/providers/null-provider";

/** The start of the provider, in the package. This file is two folders below it, built or not. */
export const PROVIDER_BUNDLE = join(__dirname, "../../dist/provider.js");

/** The bundle, next to the launcher, and the files that it loads. */
const BUNDLE = "provider.js";
const LOADED = ["provider-main.js", "provider-calls.js"];
/** The licences of what the bundle contains, next to it in the package and wherever it is installed. */
const NOTICE = "NOTICE.txt";

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

/** The installations of the console's provider, one for each default registry. */
export function consoleInstallations(platform = platformOf()): readonly Installation[] {
  return installations(PROVIDER_SOURCE, PROVIDER_VERSION, platform, "");
}

/**
 * The installations of our null_resource as hashicorp/null, for machines without access to a
 * registry. It has the version of the original that the constructs require.
 */
export function nullInstallations(platform = platformOf()): readonly Installation[] {
  return installations(nullProvider.source, "3.2.4", platform, " null");
}

/** An installed provider in a folder of plugins: a mirror or `terraform.d/plugins`. */
export interface Installation {
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly address: string;
  readonly version: string;
  /** Path in the folder of plugins, with slashes. */
  readonly folder: string;
  /** The files, equal on every machine, so that one lock file serves all of them. */
  readonly files: readonly InstalledFile[];
}

interface InstalledFile {
  readonly name: string;
  readonly mode: number;
  /** Default: the file of this name in the package. */
  readonly text?: string;
}

/** Terraform and OpenTofu complete a source by their own registry, and look for it there only. */
function installations(
  source: string,
  version: string,
  { os, arch }: Platform,
  argument: string,
): readonly Installation[] {
  const type = source.split("/").at(-1) ?? source;
  return REGISTRIES.map((registry) => ({
    address: `${registry}/${source}`,
    version,
    folder: `${registry}/${source}/${version}/${os}_${arch}`,
    files: [
      { name: BUNDLE, mode: 0o644 },
      ...LOADED.map((name) => ({ name, mode: 0o644 })),
      { name: NOTICE, mode: 0o644 },
      {
        name: `terraform-provider-${type}_v${version}`,
        mode: 0o755,
        text: launcher(argument),
      },
    ],
  }));
}

/**
 * `exec` makes the provider the process that Terraform starts and kills. Terraform shows output
 * that is not a handshake.
 */
function launcher(argument: string): string {
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
  for (const { name, mode, text } of files) {
    const file = join(target, name);
    const draft = `${file}.${process.pid}`;
    try {
      writeFileNow(draft, await contentOf(name, text, bundle), "replace", mode);
      await chmod(draft, mode);
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }
  return target;
}

/** The content of a file: its text, or that of the file beside the bundle, which has any name. */
function contentOf(name: string, text: string | undefined, bundle: string): Promise<Buffer> {
  if (text !== undefined) return Promise.resolve(Buffer.from(text));
  return readFile(name === BUNDLE ? bundle : join(dirname(bundle), name));
}

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
      const content = await contentOf(name, text, bundle);
      return [
        name,
        [content, { os: UNIX, attrs: ((REGULAR_FILE | mode) << 16) >>> 0, mtime: EPOCH }],
      ];
    }),
  );
  const file = join(mirror, packedPath(installation));
  makeFolder(dirname(file), FOLDER_MODE);
  writeFileNow(file, zipSync(Object.fromEntries(entries)), "replace", 0o644);
  return file;
}
