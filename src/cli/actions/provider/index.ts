import { printed, type Printed } from "../../../core/printed";
import { join, resolve } from "node:path";
import {
  consoleInstallations,
  install,
  installPacked,
  nullInstallations,
  platformOf,
  type Installation,
  type Platform,
} from "../../../terraform-provider/installation";
import { providerSchemaJson } from "../../../plugin/schema-json";
import { serveReattach } from "../../../plugin/serve-reattach";
import { cwpProvider } from "../../../provider/cwp-provider";
import { CREDENTIAL_VARIABLES } from "../../../provider/configuration/settings";
import { errorText } from "../../../core/io/file-problem";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { REGISTRY } from "../../../core/registries";
import { PROVIDER_SOURCE } from "../../../provider/identity";
import { Provider } from "../../../core/provider";
import { ExitCode } from "../../exit-code";
import { interrupted } from "../../terminal/interruption";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { installProviders, pluginFolder } from "../../terraform/install-providers";

export interface ProviderInstallOptions extends CommonOptions {
  /** Folder of the stack. Terraform runs in it. */
  readonly dir?: string;
  /** Folder of a filesystem mirror. */
  readonly mirror?: string;
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
  { dir, mirror, platform = [platformOf()] }: ProviderInstallOptions,
): Target | Diagnostic {
  if (platform.some(({ os }) => os === "windows")) {
    return error(
      "Windows is not supported",
      "The provider starts with a shell script, which Windows cannot run. Run Terraform in WSL, or use the embedded engine.",
    );
  }
  if (mirror !== undefined) return { folder: resolve(directory, mirror), put: installPacked };
  if (dir !== undefined) return { folder: pluginFolder(resolve(directory, dir)), put: install };
  const home = environment.HOME;
  if (home === undefined || home === "") {
    return error(
      "No home folder",
      "HOME is not set, so the folder of this user's plugins is unknown. Name the folder of a stack with --dir, or a mirror with --mirror.",
    );
  }
  return { folder: join(home, ".terraform.d/plugins"), put: install };
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

/** Prints the provider's schema in the format of `terraform providers schema -json`. */
export function providerSchema(terminal: Terminal, options: CommonOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  screen.printDocument(
    providerSchemaJson(`${REGISTRY}/${PROVIDER_SOURCE}`, new Provider<unknown>(cwpProvider)),
  );
  return Promise.resolve(ExitCode.DONE);
}

/** Serves the provider to any number of Terraform runs, until an interrupt. */
export async function providerServe(
  terminal: Terminal,
  options: CommonOptions & { readonly port?: number },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const end = interrupted(terminal);
  try {
    const server = await serveReattach({
      provider: new Provider<unknown>(cwpProvider),
      log: screen.log,
      ...accessOf(terminal, options),
    });
    const reattachments = consoleInstallations().map(({ address }) => [
      address,
      server.reattachment,
    ]);
    screen.printDocument(`${JSON.stringify(Object.fromEntries(reattachments))}\n`);
    await end;
    await server.close();
    return ExitCode.DONE;
  } catch (failure) {
    if (!(failure instanceof Error) || !("code" in failure)) throw failure;
    const place = options.port === undefined ? "A socket" : `127.0.0.1:${options.port}`;
    const advice =
      options.port === undefined ? "" : " Choose another --port, or 0 for any free port.";
    const detail = `${place}: ${errorText(failure)}.${advice}`;
    return screen.fail(error("The provider cannot be served", detail));
  }
}

/**
 * Every user of the machine can connect to a port, with the address of a console of his own: it would
 * get the credentials of the environment.
 */
function accessOf({ environment }: Terminal, { port }: { readonly port?: number }) {
  const withheld = new Set<string>(CREDENTIAL_VARIABLES.filter((name) => environment[name]));
  if (port === undefined || withheld.size === 0)
    return { environment, ...(port !== undefined && { port }) };
  return {
    port,
    environment: Object.fromEntries(
      Object.entries(environment).filter(([name]) => !withheld.has(name)),
    ),
    caution: `The provider is served on a port, where every user of the machine can connect, so it does not take credentials from its environment (${[...withheld].join(", ")}). Serve it without --port, on a socket that only you can reach, or set the credentials in the provider block.`,
  };
}
