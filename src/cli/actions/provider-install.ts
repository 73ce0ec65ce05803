import { join, resolve } from "node:path";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { fileProblem } from "../../provider/file-problem";
import {
  consoleInstallation,
  install,
  nullInstallation,
  platformOf,
  type Installation,
  type Platform,
} from "../../plugin/installation";
import { installPacked } from "../../plugin/pack";
import { ExitCode } from "../exit-code";
import { PROVIDER_BUNDLE } from "../provider-bundle";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

export interface ProviderInstallOptions extends CommonOptions {
  /** The folder that Terraform runs in. */
  readonly dir?: string;
  /** A folder that is, or will be, a filesystem mirror. */
  readonly mirror?: string;
  readonly platform?: readonly Platform[];
  readonly withNull?: boolean;
}

/** Puts the provider where Terraform finds it: for this user, beside a stack, or into a mirror. */
export async function providerInstall(
  terminal: Terminal,
  options: ProviderInstallOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const place = placeOf(terminal, options);
  if ("summary" in place) {
    screen.report([place]);
    return ExitCode.ERROR;
  }
  const { folder, put } = place;
  try {
    for (const installation of installations(options)) {
      const path = await put(folder, installation, PROVIDER_BUNDLE);
      screen.print(`Installed ${installation.address} ${installation.version}: ${path}\n`);
    }
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    screen.report([error("Provider cannot be installed", `${folder}: ${problem.text}.`)]);
    return ExitCode.ERROR;
  }
  if (options.withNull) screen.report([standIn(folder)]);
  if (options.mirror !== undefined) screen.print(`\n${mirrorConfiguration(folder, options)}`);
  return ExitCode.DONE;
}

interface Place {
  readonly folder: string;
  readonly put: (folder: string, installation: Installation, bundle: string) => Promise<string>;
}

function placeOf(
  { directory, environment }: Terminal,
  { dir, mirror, platform = [platformOf()] }: ProviderInstallOptions,
): Place | Diagnostic {
  if (platform.some(({ os }) => os === "windows")) {
    return error(
      "Windows is not supported",
      "The provider starts by a shell script, which Windows has not. Run Terraform in WSL, or the stacks with the embedded engine.",
    );
  }
  if (mirror !== undefined) return { folder: resolve(directory, mirror), put: installPacked };
  if (dir !== undefined) {
    return { folder: join(resolve(directory, dir), "terraform.d/plugins"), put: install };
  }
  const home = environment.HOME;
  if (home === undefined || home === "") {
    return error(
      "No home folder",
      "HOME is not set, so it is not known where this user's plugins are. Name the folder of a stack with --dir, or a mirror with --mirror.",
    );
  }
  return { folder: join(home, ".terraform.d/plugins"), put: install };
}

function installations({ platform, withNull }: ProviderInstallOptions): readonly Installation[] {
  return (platform ?? [platformOf()]).flatMap((one) => [
    consoleInstallation(one),
    ...(withNull ? [nullInstallation(one)] : []),
  ]);
}

function standIn(folder: string): Diagnostic {
  const { address, version } = nullInstallation();
  return warning(
    "A stand-in for hashicorp/null",
    `What was installed as ${address} ${version} is not HashiCorp's provider, but this program's own null_resource. It is meant for tests where no registry is reached. Terraform asks the registry for that provider no more where it finds this folder; to undo it, delete ${join(folder, address)}.`,
  );
}

function mirrorConfiguration(folder: string, { withNull }: ProviderInstallOptions): string {
  const { address } = consoleInstallation();
  const provided = JSON.stringify([address, ...(withNull ? [nullInstallation().address] : [])]);
  return `Terraform finds it with this in its CLI configuration:

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
