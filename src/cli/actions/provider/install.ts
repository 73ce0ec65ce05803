import { printed, type Printed } from "../../../core/printed";
import { join, resolve } from "node:path";
import type { Environment } from "../../../core/environment";
import { IS_EXECUTABLE } from "../../../core/io/package-files";
import {
  consoleInstallations,
  install,
  installPacked,
  nullInstallations,
  platformOf,
  type Installation,
  type Platform,
} from "../../../terraform-provider/installation";
import { packedFrom } from "../../../terraform-provider/released";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { installProviders, pluginFolder } from "../../terraform/install-providers";

export interface ProviderInstallOptions extends CommonOptions {
  /** Folder of the stack. Terraform runs in it. */
  readonly dir?: string;
  /** Folder of a mirror. */
  readonly mirror?: string;
  /** Folder of a release, whose executables go into the mirror. */
  readonly from?: string;
  readonly platform?: readonly Platform[];
  readonly withNull?: boolean;
}

/** Installs the provider for this user, for one stack, or into a mirror. */
export async function providerInstall(
  terminal: Terminal,
  options: ProviderInstallOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const target = targetOf(terminal, options);
  if ("summary" in target) return screen.fail(target);
  const { folder, put } = target;
  const { installed, diagnostics } = await installProviders(folder, installations(options), put);
  for (const { address, version, path } of installed) {
    screen.print(printed`Installed ${address} ${version}: ${path}\n`);
  }
  if (screen.report(diagnostics)) return ExitCode.ERROR;
  if (options.withNull) screen.report([standIn(folder)]);
  if (options.mirror !== undefined) screen.print(mirrorConfiguration(folder, options));
  return ExitCode.DONE;
}

interface Target {
  readonly folder: string;
  readonly put: typeof install;
}

function targetOf(
  { directory, environment }: Terminal,
  { dir, mirror, from, platform = [platformOf()] }: ProviderInstallOptions,
): Target | Diagnostic {
  if (from !== undefined) {
    if (mirror === undefined) return NO_MIRROR;
    return { folder: resolve(directory, mirror), put: packedFrom(resolve(directory, from)) };
  }
  const problem = platformProblem(platform, IS_EXECUTABLE);
  if (problem) return problem;
  if (mirror !== undefined) return { folder: resolve(directory, mirror), put: installPacked };
  if (dir !== undefined) return { folder: pluginFolder(resolve(directory, dir)), put: install };
  const folder = userPlugins(environment, process.platform);
  if (folder !== undefined) return { folder, put: install };
  return error(
    "No home folder",
    "HOME is not set, so the folder of this user's plugins is unknown. Name the folder of a stack with --dir, or a mirror with --mirror.",
  );
}

const NO_MIRROR = error(
  "No mirror",
  "--from takes packed providers out of a release, for a mirror. Name the folder of the mirror with --mirror.",
);

/** The error for a platform that the running program has no provider for. */
export function platformProblem(
  platforms: readonly Platform[],
  isExecutable: boolean,
  own = platformOf(),
): Diagnostic | undefined {
  const advice = "Take it from the folder of a release, with --mirror and --from.";
  if (isExecutable) {
    const other = platforms.find(({ os, arch }) => os !== own.os || arch !== own.arch);
    if (!other) return undefined;
    return error(
      "Executable of another platform",
      `This program installs itself, and it runs on ${own.os}_${own.arch}, not on ${other.os}_${other.arch}. ${advice}`,
    );
  }
  if (platforms.every(({ os }) => os !== "windows")) return undefined;
  return error(
    "Windows needs the executable",
    `The provider of the npm package starts with a shell script, which Windows cannot run outside of WSL. ${advice}`,
  );
}

/** The folder of a user's plugins, where Terraform and OpenTofu look for them. */
export function userPlugins(environment: Environment, system: string): string | undefined {
  const [base, folder] =
    system === "win32"
      ? [environment.APPDATA, "terraform.d/plugins"]
      : [environment.HOME, ".terraform.d/plugins"];
  return base === undefined || base === "" ? undefined : join(base, folder);
}

function installations({ platform, withNull }: ProviderInstallOptions): readonly Installation[] {
  return (platform ?? [platformOf()]).flatMap((one) => [
    ...consoleInstallations(one),
    ...(withNull ? nullInstallations(one) : []),
  ]);
}

function standIn(folder: string): Diagnostic {
  const folders = nullInstallations().map(({ address }) => join(folder, address));
  return warning(
    "Stand-in for hashicorp/null",
    `The provider installed as hashicorp/null is not HashiCorp's provider. It is a null_resource of cdktf-console, for tests without access to a registry. Terraform and OpenTofu no longer ask their registries for this provider if they find it here. To remove it, delete ${folders.join(" and ")}.`,
  );
}

function mirrorConfiguration(folder: string, { withNull }: ProviderInstallOptions): Printed {
  const installed = [...consoleInstallations(), ...(withNull ? nullInstallations() : [])];
  const provided = JSON.stringify(installed.map(({ address }) => address));
  return printed`
Add this to the CLI configuration of Terraform or OpenTofu:

provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(folder)}
    include = ${provided}
  }
  direct {
    exclude = ${provided}
  }
}
`;
}
