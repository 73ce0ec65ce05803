import { z } from "zod";
import type { JsonObject } from "../../core/documents/state-value";
import type { RunMark } from "../../core/documents/run-record";
import type { State } from "../../core/documents/state";

/** The member of a state. Terraform reads states with it, and drops it when it writes one. */
const MEMBER = "cdktf_console_runs";

/** The runs whose marks a state keeps, the last one at the end. */
const MOST_MARKS = 8;

const marks = z.array(z.object({ run: z.string(), line: z.int(), sha256: z.string() }));

/** Returns the last lines that recorded runs have written about a stack, by the state of the stack. */
export function runMarks({ unknown }: Pick<State, "unknown">): readonly RunMark[] {
  return marks.catch([]).parse(unknown[MEMBER]);
}

/** Replaces the mark of a run by a later one. */
export function withRunMark(
  unknown: State["unknown"],
  { run, line, sha256 }: RunMark,
): State["unknown"] {
  const present = runMarks({ unknown });
  // Operations on several objects record at the same time.
  if (present.some((one) => one.run === run && one.line > line)) return unknown;
  const others = present.filter((one) => one.run !== run);
  const kept = [...others, { run, line, sha256 }].slice(-MOST_MARKS);
  return { ...unknown, [MEMBER]: kept.map((one): JsonObject => ({ ...one })) };
}
