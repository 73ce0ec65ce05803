import { z } from "zod";
import { spawn, type StdioOptions } from "node:child_process";
import { dirname } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";
import { error, type Diagnostic } from "../../provider/diagnostics";
import type { Screen } from "../terminal/screen";
import type { Program } from "./engines";

/** Result of a program. `missing`: it is not on PATH. */
type Ended =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly output: string };

interface ProgramRun {
  readonly directory: string;
  readonly environment: Environment;
  /** `keep` returns the output; `pass` shows it to the user. */
  readonly output: "keep" | "pass";
}

/**
 * Runs a program to its end, in its own process group: an interrupt then reaches it once, from here,
 * whether it was typed or sent.
 */
export function runProgram(
  { terminal }: Screen,
  program: string,
  args: readonly string[],
  { directory, environment, output }: ProgramRun,
): Promise<Ended> {
  return new Promise((resolve) => {
    const inherits = output === "pass" && terminal.inheritable;
    const stdio: StdioOptions = inherits
      ? [terminal.interactive ? "inherit" : "ignore", "inherit", "inherit"]
      : ["ignore", "pipe", "pipe"];
    const child = spawn(program, args, {
      cwd: directory,
      env: withNode(environment),
      stdio,
      detached: true,
    });
    let kept = "";
    const take = (write: (text: string) => void) => (text: string) => {
      if (output === "pass") write(text);
      else kept += text;
    };
    child.stdout?.setEncoding("utf8").on("data", take(terminal.stdout.write));
    child.stderr?.setEncoding("utf8").on("data", take(terminal.stderr.write));
    const release = terminal.onInterrupt(() => {
      child.kill("SIGINT");
    });
    child.once("error", () => {
      release();
      resolve({ kind: "missing" });
    });
    child.once("close", (code) => {
      release();
      resolve({ kind: "ended", code: code ?? 1, output: kept });
    });
  });
}

/** Terraform starts the provider with `node`, which may not be on PATH. */
function withNode(environment: Environment): NodeJS.ProcessEnv {
  const { PATH = "" } = environment;
  return { ...environment, PATH: `${PATH}${PATH === "" ? "" : ":"}${dirname(process.execPath)}` };
}

const NAMES: Readonly<Record<Program, string>> = { terraform: "Terraform", tofu: "OpenTofu" };

/** The first version of both programs with write-only attributes and ephemeral variables. */
const OLDEST = [1, 11] as const;

const versionShape = z.looseObject({ terraform_version: z.string() });

/** Checks that the program on PATH can run stacks. Undefined if there is nothing to report. */
export async function checkProgram(
  screen: Screen,
  program: Program,
): Promise<Diagnostic | undefined> {
  const { directory, environment } = screen.terminal;
  const ended = await runProgram(screen, program, ["version", "-json"], {
    directory,
    environment: { ...environment, CHECKPOINT_DISABLE: "1" },
    output: "keep",
  });
  const name = NAMES[program];
  if (ended.kind === "missing") {
    return error(
      `${name} is not installed`,
      `There is no program "${program}" on PATH. Install ${name} ${OLDEST.join(".")} or newer, or omit --engine: the embedded engine needs no other program.`,
    );
  }
  const version = readVersion(ended.output);
  if (version === undefined) {
    return error(
      `Unknown version of ${name}`,
      `"${program} version -json" ended with exit code ${ended.code} and printed:\n\n${ended.output.trim()}`,
    );
  }
  if (isOlder(version)) {
    return error(
      `${name} is too old`,
      `The "${program}" on PATH is ${version}. Stacks need ${OLDEST.join(".")} or newer: write-only attributes and ephemeral variables keep secrets out of plans and states.`,
    );
  }
  return undefined;
}

function readVersion(output: string): string | undefined {
  try {
    return versionShape.parse(JSON.parse(output.slice(output.indexOf("{")))).terraform_version;
  } catch {
    return undefined;
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
