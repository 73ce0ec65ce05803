import { join, resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { parseAddress } from "../../core/documents/address";
import type { StackPlan } from "../../core/documents/stack-plan";
import { entryAt } from "../../core/io/read-file";
import { world } from "../../core/io/world";
import { printed } from "../../core/printed";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import { bootstrap } from "../../provider/resources/bootstrap";
import { blindCauseOf } from "../../review/exclusions/blind-stacks";
import type { RolloutOptions } from "../stacks/rollout-settings";
import type { Terminal } from "../terminal/terminal";
import { readRecord } from "./recorded-log";

/** The records of a folder that are read: enough for runs that were repeated after failures. */
const MOST_RECORDS = 10;

/**
 * The tenants that records of earlier runs show as set up, each with the file. A console that refuses
 * the credentials is new for a plan as long as the state has no bootstrap; for these tenants it is an
 * error.
 */
export class KnownTenants {
  private found: Promise<ReadonlyMap<string, string>> | undefined;

  private constructor(private readonly read: () => Promise<ReadonlyMap<string, string>>) {}

  /** Finds the record that the run resumes, or those where its own is written. */
  static async of(
    { directory }: Terminal,
    { resume, runLog }: RolloutOptions,
    resumed: RunRecord | undefined,
  ): Promise<KnownTenants> {
    const files = new Map<string, string>();
    const add = (file: string, record: RunRecord) => {
      for (const stack of setUpBy(record)) files.set(stack, file);
    };
    const readAll = async (names: readonly string[]) => {
      for (const file of names) {
        const read = await readRecord({ directory }, file, { objects: false });
        // Another file is replaced, or is none of this program.
        if ("record" in read) add(file, read.record);
      }
      return files;
    };
    if (resumed && resume !== undefined) add(resume, resumed);
    else if (runLog !== undefined) {
      const records = await recordsAt(directory, runLog);
      // The records of large runs are large, and only refusals need them.
      if (records.isFolder) return new KnownTenants(() => readAll(records.names));
      // This run replaces it.
      await readAll(records.names);
    }
    return new KnownTenants(() => Promise.resolve(files));
  }

  /** Returns an error for a plan of such a tenant whose console refuses the credentials. */
  readonly check = async (plan: StackPlan): Promise<readonly Diagnostic[]> => {
    if (blindCauseOf(plan) !== "refused") return [];
    const file = (await (this.found ??= this.read())).get(plan.stack);
    return file === undefined ? [] : [refusedAgain(plan.stack, file)];
  };
}

/** The file itself, or the last ones of a folder: their names begin with the time. */
async function recordsAt(
  directory: string,
  runLog: string,
): Promise<{ readonly names: readonly string[]; readonly isFolder: boolean }> {
  const path = resolve(directory, runLog);
  const entry = entryAt(path);
  if (!entry?.isDirectory()) return { names: entry?.isFile() ? [runLog] : [], isFolder: false };
  const found = await world.files.readdir(path).catch(() => []);
  const records = found.filter((name) => name.endsWith(".jsonl")).sort();
  const names = records.slice(-MOST_RECORDS).map((name) => join(runLog, name));
  return { names, isFolder: true };
}

/** Stacks that a run has applied, or whose console it has bootstrapped. */
function setUpBy({ operation, done, recorded }: RunRecord): ReadonlySet<string> {
  const bootstrapped = [...recorded].filter(([, { objects }]) =>
    objects.some(
      ({ address, stored }) => stored.at(-1) && parseAddress(address)?.type === bootstrap.type,
    ),
  );
  const applied = operation === "destroy" ? [] : done;
  return new Set([...applied, ...bootstrapped.map(([stack]) => stack)]);
}

function refusedAgain(stack: string, file: string): Diagnostic {
  return error(
    "Console refused the credentials",
    printed`The state has no bootstrap, but ${file} shows that stack "${stack}" was set up before, so its console is not new. Correct the provider's credentials, or restore the state. If the console was reinstalled, apply the stack with another --run-log and without --resume.`,
  );
}
