import { consoleInstallation } from "../../../plugin/installation";
import { providerSchemaJson } from "../../../plugin/schema-json";
import { cwpProvider } from "../../../provider/cwp-provider";
import { Provider } from "../../../provider/provider";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Prints the provider's schema in the format of `terraform providers schema -json`. */
export function providerSchema(terminal: Terminal, options: CommonOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { address } = consoleInstallation();
  screen.print(providerSchemaJson(address, new Provider<unknown>(cwpProvider)));
  return Promise.resolve(ExitCode.DONE);
}
