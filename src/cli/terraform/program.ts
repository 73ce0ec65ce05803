import { block, printed, type Printed } from "../../core/printed";
import { z } from "zod";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { Terminal } from "../terminal/terminal";
import type { Program } from "../stacks/engines";
import { documentIn } from "./messages";
import { runProgram } from "./process";

export const NAMES: Readonly<Record<Program, string>> = {
  terraform: "Terraform",
  tofu: "OpenTofu",
};

/** The first versions that have write-only attributes and ephemeral variables. */
const OLDEST = { terraform: [1, 11], tofu: [1, 12] } as const satisfies Record<
  Program,
  readonly [number, number]
>;

const versionShape = z.looseObject({ terraform_version: z.string() });

/** Returns the version of the program on PATH, or the reason why it cannot run stacks. */
export async function checkProgram(
  terminal: Terminal,
  program: Program,
): Promise<{ readonly version: string } | { readonly problem: Diagnostic }> {
  const { directory, environment } = terminal;
  const ended = await runProgram(terminal, program, ["version", "-json"], {
    directory,
    environment: { ...environment, CHECKPOINT_DISABLE: "1" },
  });
  const name = NAMES[program];
  const refuse = (summary: string, detail: string | Printed) => ({
    problem: error(summary, detail),
  });
  if (ended.kind === "missing") {
    return refuse(
      `${name} is not installed`,
      `There is no program "${program}" on PATH. Install ${name} ${OLDEST[program].join(".")} or newer, or omit --engine: the embedded engine needs no other program.`,
    );
  }
  const version = readVersion(ended.out);
  if (version === undefined) {
    return refuse(
      `Unknown version of ${name}`,
      printed`"${program} version -json" ended with exit code ${ended.code} and printed:\n\n${block(ended.out.trim())}`,
    );
  }
  if (isOlder(version, OLDEST[program])) {
    return refuse(
      `${name} is too old`,
      `The "${program}" on PATH is ${version}. Install ${OLDEST[program].join(".")} or newer: write-only attributes and ephemeral variables keep secrets out of plans and states.`,
    );
  }
  return { version };
}

function readVersion(output: string): string | undefined {
  try {
    return versionShape.parse(JSON.parse(documentIn(output))).terraform_version;
  } catch {
    return undefined;
  }
}

function isOlder(version: string, [oldestMajor, oldestMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
