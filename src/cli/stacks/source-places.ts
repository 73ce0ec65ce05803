import { join } from "node:path";
import { z } from "zod";
import { readTextNow } from "../../core/io/read-file";
import type { StackPlan } from "../../core/documents/stack-plan";
import type { Locate, SourcePlace } from "../../review/findings/render-sarif";

const PROJECT = "cdktf.json";

/** The line that a text about no stack names, as in `Invalid contract: protection.yaml:3: …`. */
const NAMED_LINE = /(?:^|: )(?<file>[^\s:]+\.\w+):(?<line>\d+): /;

/**
 * Finds the lines of constructs in the program that cdktf.json runs: the first one with the ID of the
 * construct as a literal. A finding about no stack is at the line that its text names, as of the contract.
 * Anything else is in cdktf.json.
 */
export function sourcePlaces(directory: string, plans: readonly StackPlan[]): Locate {
  const program = programOf(directory);
  const paths = new Map(
    plans.flatMap(({ stack, changes, drift }) =>
      [...changes, ...drift].map(
        ({ address, constructPath = "" }) => [`${stack} ${address}`, constructPath] as const,
      ),
    ),
  );
  return ({ stack, address, text }): SourcePlace => {
    const named = stack === undefined ? NAMED_LINE.exec(text)?.groups : undefined;
    if (named?.file !== undefined) return { file: named.file, line: Number(named.line) };
    const ids = (paths.get(`${stack ?? ""} ${address ?? ""}`) ?? stack ?? "").split("/").reverse();
    for (const id of ids) {
      if (!program || id === "") break;
      const index = program.lines.findIndex((text) => hasLiteral(text, id));
      if (index >= 0) return { file: program.file, line: index + 1 };
    }
    return { file: PROJECT, line: 1 };
  };
}

interface Program {
  readonly file: string;
  readonly lines: readonly string[];
}

/** The first file that the command of the app names; undefined if there is none that can be read. */
function programOf(directory: string): Program | undefined {
  const project = z.object({ app: z.string() });
  try {
    const { app } = project.parse(JSON.parse(readTextNow(join(directory, PROJECT))));
    const file = app.split(/\s+/).find((word) => /\.[cm]?[jt]sx?$/.test(word));
    if (file === undefined) return undefined;
    return { file, lines: readTextNow(join(directory, file)).split("\n") };
  } catch {
    return undefined; // A review needs no program.
  }
}

function hasLiteral(line: string, id: string): boolean {
  return [`"${id}"`, `'${id}'`, `\`${id}\``].some((literal) => line.includes(literal));
}
