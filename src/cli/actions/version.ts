import { version } from "../../../package.json";
import { platformOf } from "../../plugin/installation";
import { TERRAFORM_VERSION } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

/** Prints the version. */
export function printVersion(
  terminal: Terminal,
  options: CommonOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const { os, arch } = platformOf();
  const platform = `${os}_${arch}`;
  const node = process.versions.node;
  screen.print(
    options.json
      ? `${JSON.stringify({ version, platform, node_version: node, terraform_version: TERRAFORM_VERSION })}\n`
      : `cdktf-console ${version}\non ${platform}, Node.js ${node}\n`,
  );
  return Promise.resolve(ExitCode.DONE);
}
