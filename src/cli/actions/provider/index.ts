import { consoleInstallations } from "../../../terraform-provider/installation";
import { providerSchemaJson } from "../../../plugin/schema-json";
import { serveReattach } from "../../../plugin/serve-reattach";
import { cwpProvider } from "../../../provider/cwp-provider";
import { CREDENTIAL_VARIABLES } from "../../../provider/configuration/settings";
import { errorText } from "../../../core/io/file-problem";
import { error } from "../../../core/diagnostics";
import { REGISTRY } from "../../../core/registries";
import { PROVIDER_SOURCE } from "../../../provider/identity";
import { Provider } from "../../../core/provider";
import { ExitCode } from "../../exit-code";
import { interrupted } from "../../terminal/interruption";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export { providerInstall } from "./install";

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
