import { consoleInstallation } from "../../plugin/installation";
import { providerSchemaJson } from "../../plugin/schema-json";
import { serveReattach } from "../../plugin/serve-reattach";
import { consoleProvider } from "../../provider/cwp-provider";
import { error } from "../../provider/diagnostics";
import { Provider } from "../../provider/provider";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions } from "../screen";
import type { Terminal } from "../terminal";

/* What the commands do that are about the provider for Terraform, in one file of the bundle. */

export { providerInstall } from "./provider-install";

/** Prints what `terraform providers schema -json` prints of the provider. */
export function providerSchema(terminal: Terminal, options: CommonOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { address } = consoleInstallation();
  screen.print(providerSchemaJson(address, new Provider<unknown>(consoleProvider)));
  return Promise.resolve(ExitCode.DONE);
}

/** Serves one process to any number of Terraform runs, until it is told to end. */
export async function providerServe(
  terminal: Terminal,
  options: CommonOptions & { readonly port: number },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const told = new Promise<void>((end) => {
    terminal.onInterrupt(() => {
      end();
    });
  });
  try {
    const server = await serveReattach({
      provider: new Provider<unknown>(consoleProvider),
      log: screen.log,
      port: options.port,
    });
    const { address } = consoleInstallation();
    screen.print(`${JSON.stringify({ [address]: server.reattachment })}\n`);
    await told;
    await server.close();
    return ExitCode.DONE;
  } catch (failure) {
    if (!(failure instanceof Error) || !("code" in failure)) throw failure;
    const detail = `127.0.0.1:${options.port}: ${String(failure.code)}. Choose another --port, or none for any free one.`;
    screen.report([error("The provider cannot be served", detail)]);
    return ExitCode.ERROR;
  }
}
