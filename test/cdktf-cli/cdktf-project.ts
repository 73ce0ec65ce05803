import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeWhere, installed } from "../support/requirement";
import { describeWithTerraform } from "../support/terraform";
import { offlineEnvironment, startProgram, temporaryFolder } from "../support/terraform-project";
import { CDKTF, isCdktfInstalled } from "./install";

const TSX = join(__dirname, "../../node_modules/tsx/dist/cli.mjs");

/** Tests that need `terraform` on PATH and cdktf-cli: skipped where one is missing, never in CI. */
export function describeWithCdktf(promise: string, tests: () => void): void {
  const reason = "cdktf-cli is not installed: npx tsx test/cdktf-cli/install.ts";
  const cdktf = installed(isCdktfInstalled(), reason);
  if (cdktf.isMet) describeWithTerraform(promise, tests);
  else describeWhere(cdktf, promise, tests);
}

/** A folder with a cdktf.json, in which `cdktf` runs offline. */
export class CdktfProject {
  readonly directory = temporaryFolder();

  /** `app`: the program, in TypeScript. */
  constructor(
    app: string,
    private readonly environment: Readonly<Record<string, string>>,
    settings: Readonly<Record<string, unknown>> = {},
  ) {
    this.write("cdktf.json", {
      language: "typescript",
      app: `"${process.execPath}" "${TSX}" "${app}"`,
      projectId: "00000000-0000-4000-8000-000000000000",
      sendCrashReports: "false",
      ...settings,
    });
  }

  write(name: string, content: string | object): void {
    const file = join(this.directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  /** Returns the output of `cdktf` without white space and the stack's name before each line. */
  async succeed(command: string): Promise<string> {
    const environment = { ...(await offlineEnvironment(this.directory)), ...this.environment };
    const { ended } = startProgram(CDKTF, command.split(" "), this.directory, {
      ...environment,
      CI: "1",
      NO_COLOR: "1",
    });
    const { code, signal, out, err } = await ended;
    if (code !== 0) throw new Error(`cdktf ${command}: ${String(code ?? signal)}\n${out}${err}`);
    return out.replace(/^\S+ {2}/gm, "").replace(/\s+/g, "");
  }
}
