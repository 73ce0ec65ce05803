import { chmod, copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nullProvider } from "../provider/null-provider";
import { PROVIDER_SOURCE, PROVIDER_VERSION, REGISTRY } from "../provider/identity";

/** The provider as one file, in the package. This file is two folders below it, built or not. */
export const PROVIDER_BUNDLE = join(__dirname, "../../dist/provider.js");

/** The bundle, beside the launcher. */
const BUNDLE = "provider.js";

/** A system as Terraform names it: `linux` and `amd64` of `linux_amd64`. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

/** A provider as Terraform finds it below a folder of plugins, be it a mirror or `terraform.d/plugins`. */
export interface Installation {
  /** `registry.terraform.io/cdktf-console/cwp` */
  readonly address: string;
  readonly version: string;
  /** Below the folder of plugins, with slashes. */
  readonly folder: string;
  /** What is in it. The same on every machine, so that one lock file serves them all. */
  readonly files: readonly InstalledFile[];
}

export interface InstalledFile {
  readonly name: string;
  readonly mode: number;
  /** Undefined: the bundle. */
  readonly text?: string;
}

const SYSTEMS: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Of this machine, unless another is named as Node names it. */
export function platformOf(os: string = process.platform, arch: string = process.arch): Platform {
  return { os: SYSTEMS[os] ?? os, arch: ARCHITECTURES[arch] ?? arch };
}

/** The console's provider. */
export function consoleInstallation(platform = platformOf()): Installation {
  return installation(PROVIDER_SOURCE, PROVIDER_VERSION, platform, "");
}

/**
 * Our own null_resource in the place of hashicorp/null, for where no registry can be asked. Its
 * version is that of the original which the constructs were made for.
 */
export function nullInstallation(platform = platformOf()): Installation {
  return installation(nullProvider.source, "3.2.4", platform, " null");
}

function installation(
  source: string,
  version: string,
  { os, arch }: Platform,
  argument: string,
): Installation {
  const address = `${REGISTRY}/${source}`;
  const type = source.split("/").at(-1) ?? source;
  return {
    address,
    version,
    folder: `${address}/${version}/${os}_${arch}`,
    files: [
      { name: BUNDLE, mode: 0o644 },
      {
        name: `terraform-provider-${type}_v${version}`,
        mode: 0o755,
        text: launcher(argument),
      },
    ],
  };
}

/**
 * `exec`: the process that Terraform starts, and may kill, is the provider itself. What stands in
 * the place of the handshake is what Terraform shows.
 */
function launcher(argument: string): string {
  return [
    "#!/bin/sh",
    "if ! command -v node >/dev/null; then",
    "  echo 'This provider runs on Node.js 20.18.1 or newer, and there is no node on PATH.'",
    "  exit 1",
    "fi",
    `exec node "\${0%/*}/${BUNDLE}"${argument}`,
    "",
  ].join("\n");
}

/**
 * Puts a provider below a folder of plugins; what is there of the same version is replaced, each file
 * at once, so that a Terraform that is about to start it finds the one or the other.
 */
export async function install(
  plugins: string,
  { folder, files }: Installation,
  bundle: string,
): Promise<string> {
  const target = join(plugins, folder);
  await mkdir(target, { recursive: true });
  for (const { name, mode, text } of files) {
    const file = join(target, name);
    const draft = `${file}.${process.pid}`;
    try {
      if (text === undefined) await copyFile(bundle, draft);
      else await writeFile(draft, text);
      await chmod(draft, mode);
      await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }
  return target;
}
