import { z } from "zod";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import type { Program } from "./engines";
import type { Screen } from "../terminal/screen";
import { runProgram } from "./run-program";

const NAMES: Readonly<Record<Program, string>> = { terraform: "Terraform", tofu: "OpenTofu" };

/** The first version of both programs with write-only attributes and ephemeral variables. */
const OLDEST = [1, 11] as const;

const versionShape = z.looseObject({ terraform_version: z.string() });

/** Checks that the program on PATH can run stacks. */
export async function checkProgram(
  screen: Screen,
  program: Program,
): Promise<readonly Diagnostic[]> {
  const { directory, environment } = screen.terminal;
  const ended = await runProgram(screen, program, ["version", "-json"], {
    directory,
    environment: { ...environment, CHECKPOINT_DISABLE: "1" },
    output: "keep",
  });
  const name = NAMES[program];
  if (ended.kind === "missing") {
    return [
      error(
        `${name} is not installed`,
        `There is no program "${program}" on PATH. Install ${name} ${OLDEST.join(".")} or newer, or omit --engine: the embedded engine needs no other program.`,
      ),
    ];
  }
  const version = readVersion(ended.output);
  if (version === undefined) {
    return [
      error(
        `Unknown version of ${name}`,
        `"${program} version -json" ended with exit code ${ended.code} and printed:\n\n${ended.output.trim()}`,
      ),
    ];
  }
  if (isOlder(version)) {
    return [
      error(
        `${name} is too old`,
        `The "${program}" on PATH is ${version}. Stacks need ${OLDEST.join(".")} or newer: write-only attributes and ephemeral variables keep secrets out of plans and states.`,
      ),
    ];
  }
  if (program === "terraform") return [];
  return [
    warning(
      "OpenTofu is not tested",
      `The provider is tested with Terraform only. Your OpenTofu is ${version}.`,
    ),
  ];
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
