import { printed } from "../../core/printed";
import { version } from "../../../package.json";
import { platformOf } from "../../terraform-provider/installation";
import { TERRAFORM_VERSION } from "../../core/documents/state";
import { TESTED_PROGRAMS } from "../../core/documents/tested-programs";
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
  if (options.json) {
    const terraform_version = TERRAFORM_VERSION;
    const tested = TESTED_PROGRAMS;
    const document = { version, platform, node_version: node, terraform_version, tested };
    screen.printDocument(`${JSON.stringify(document)}\n`);
  } else screen.print(printed`cdktf-console ${version}\non ${platform}, Node.js ${node}\n`);
  return Promise.resolve(ExitCode.DONE);
}
