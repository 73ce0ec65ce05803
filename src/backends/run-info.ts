import { error, type Diagnostic } from "../core/diagnostics";
import { joined, printed, type Printed } from "../core/printed";
import { shellWord } from "../core/io/shell-word";
import { world } from "../core/io/world";
import { hideSecrets } from "../core/io/secrets-in-use";
import { hostname, userInfo } from "node:os";
import { z } from "zod";

/** A run that holds a lock: the members of Terraform's locks. */
export interface RunInfo {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  /** ISO 8601 */
  readonly Created: string;
  readonly Path: string;
}

const holder = z.object({
  ID: z.string().default(""),
  Operation: z.string().default(""),
  Info: z.string().default(""),
  Who: z.string().default(""),
  Version: z.string().default(""),
  Created: z.string().default(""),
  Path: z.string().default(""),
});

/** Reads the lock that a server describes; empty members for what it does not. */
export function serverHolder(body: Buffer): RunInfo {
  let json: unknown = {};
  try {
    json = JSON.parse(hideSecrets(body.toString("utf8")));
  } catch {
    // Some servers answer with a text.
  }
  return holder.catch(holder.parse({})).parse(json);
}

/**
 * Completes the words after `cdktf-console` in an advice, such as `force-unlock ID`, with the options
 * that the reader's command needs. `of`: the command concerns one stack, which is the default, or all
 * stacks of a run.
 */
export type Advice = (words: string, of?: "stack" | "run") => string;

/** The advice without options. */
export const plainAdvice: Advice = (words) => `cdktf-console ${words}`;

/** The run of many stacks that holds a lock, as the member `Info` has it. */
export interface HoldingRun {
  /** The ID of its record. */
  readonly run: string;
  /** Set by a run over many machines: a later attempt takes the lock over, because the earlier one has ended. */
  readonly attempt?: number | undefined;
  readonly process: number;
}

function formatHoldingRun({ run, attempt, process }: HoldingRun): string {
  return `run ${run}${attempt === undefined ? "" : `, attempt ${attempt}`}, process ${process}`;
}

/** Reports whether a run holds a lock by an earlier attempt than the one that asks for it. */
export function isOwnEarlier(
  holder: RunInfo,
  { run, attempt }: Pick<DescribedRun, "run" | "attempt">,
): boolean {
  const found = parseHoldingRun(holder.Info);
  if (found?.attempt === undefined || attempt === undefined) return false;
  return found.run === run && found.attempt < attempt;
}

/** Undefined for the locks of other programs and versions. */
export function parseHoldingRun(info: string): HoldingRun | undefined {
  const [, run, attempt, process] =
    /^run ([A-Za-z0-9][\w.-]*)(?:, attempt (\d{1,9}))?, process (\d{1,9})$/.exec(info) ?? [];
  if (run === undefined) return undefined;
  return { run, ...(attempt && { attempt: Number(attempt) }), process: Number(process) };
}

/** Describes a run of this process, with a new ID. */
export function describeRun(
  path: string,
  { operation, version = "", id = world.random.uuid(), run, attempt }: DescribedRun,
): RunInfo {
  return {
    ID: id,
    Operation: operation,
    Info: run === undefined ? "" : formatHoldingRun({ run, attempt, process: process.pid }),
    Who: whoRuns(),
    Version: version,
    Created: world.clock.now().toISOString(),
    Path: path,
  };
}

/** The name of this process: the system reads two files for it, and a run may lock thousands of states. */
let who: string | undefined;

/** Returns the name of the user and of this machine, as locks and records have it. */
export function whoRuns(): string {
  return (who ??= `${userName()}@${hostname()}`);
}

/** Returns the user's name. In a container the user may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/** Shows the known members of a lock. */
export function formatRun(
  { ID, Operation, Who, Created }: Pick<RunInfo, "ID" | "Operation" | "Who" | "Created">,
  pid?: number,
): Printed {
  const known = [
    ["ID:        ", ID],
    ["Operation: ", Operation],
    ["Who:       ", pid === undefined ? Who : `${Who} (process ${pid})`],
    ["Created:   ", Created],
  ].filter(([, value]) => value !== "");
  if (known.length === 0) return printed`  (the lock does not describe its holder)`;
  return joined(
    known.map(([name = "", value = ""]) => `  ${name}${value}`),
    "\n",
  );
}

interface DescribedRun {
  readonly operation: string;
  readonly version?: string | undefined;
  readonly id?: string | undefined;
  readonly run?: string | undefined;
  readonly attempt?: number | undefined;
}

export function unlockCommand(id: string, advice: Advice): string {
  return advice(`force-unlock ${id.startsWith("-") ? "-- " : ""}${shellWord(id)}`);
}

/** Advice on a lock that is left over. A run over many stacks has left one for each. */
export function releaseAdvice({ ID, Info }: Pick<RunInfo, "ID" | "Info">, advice: Advice): string {
  if (ID === "")
    return "Its ID is not known. If that run has ended without unlocking, remove the lock where the state is stored.";
  const holding = parseHoldingRun(Info);
  const all = holding
    ? ` "${advice(`force-unlock --run ${holding.run}`, "run")}" releases all locks of that run.`
    : "";
  return `If it has ended without unlocking, run "${unlockCommand(ID, advice)}".${all}`;
}

/** Terraform's error for a lock that may be left over. */
export function notReleased(id: string, reason: string, advice: Advice): Diagnostic {
  return error(
    "Error releasing the state lock",
    printed`${reason}.\n\nThe lock may still be held, so that the next run finds the state locked. If it does, and no other run uses the state, remove it with "${unlockCommand(id, advice)}".`,
  );
}
