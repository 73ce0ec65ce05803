import { consoleInstallation } from "../../../plugin/installation";
import { serveReattach } from "../../../plugin/serve-reattach";
import { cwpProvider } from "../../../provider/cwp-provider";
import { error } from "../../../provider/diagnostics";
import { Provider } from "../../../provider/provider";
import { ExitCode } from "../../exit-code";
import { interrupted } from "../../terminal/interruption";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Serves the provider to any number of Terraform runs, until an interrupt. */
export async function providerServe(
  terminal: Terminal,
  options: CommonOptions & { readonly port: number },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const end = interrupted(terminal);
  try {
    const server = await serveReattach({
      provider: new Provider<unknown>(cwpProvider),
      log: screen.log,
      port: options.port,
    });
    const { address } = consoleInstallation();
    screen.print(`${JSON.stringify({ [address]: server.reattachment })}\n`);
    await end;
    await server.close();
    return ExitCode.DONE;
  } catch (failure) {
    if (!(failure instanceof Error) || !("code" in failure)) throw failure;
    const detail = `127.0.0.1:${options.port}: ${String(failure.code)}. Choose another --port, or none for any free port.`;
    return screen.fail(error("The provider cannot be served", detail));
  }
}
