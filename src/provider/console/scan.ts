import { z } from "zod";
import type { ScanOptions } from "../../api/areas/scan";
import type { ConsoleClient } from "../../api/client";
import { ScanTimeoutError } from "../../api/errors";
import type {
  OperationContext,
  Outcome,
  UpdateRequest,
  WriteContext,
} from "../../core/definitions/resource-definition";
import type { ActionDefinition } from "../../core/definitions/action-definition";
import { error, type Diagnostic } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import type { PrivateState } from "../../core/private-state";
import { number, optional } from "../../core/schema/attribute";
import type { StateOf } from "../../core/schema/types";
import { unlessGone } from "./availability";
import type { Console } from "./connection";

/*
 * Resources and actions that scan everything of one kind and wait for the results share this.
 */

/**
 * Returns the attributes of a scan.
 *
 * @param timeout - default, in seconds
 */
export function scanAttributes(timeout: number) {
  return {
    timeout: optional(number(z.number().positive()), "How long a scan may take, in seconds.", {
      default: timeout,
    }),
    poll_interval: optional(
      number(z.number().positive()),
      "Interval between polls for results, in seconds (specification, section 8).",
      { default: 10 },
    ),
  };
}

type Settings = StateOf<ReturnType<typeof scanAttributes>>;

/** A scan of everything of one kind. */
export interface ConsoleScan<Finished, Summary> {
  /** In messages, in the plural. */
  readonly what: string;
  readonly run: (client: ConsoleClient, options: ScanOptions) => Promise<Finished>;
  readonly summaryOf: (finished: Finished) => Summary;
}

/** Returns the start of a scan, and the time at which its last result was made. */
export function timesOf(startedAt: Date, ends: readonly (Date | undefined)[]) {
  const last = Math.max(startedAt.getTime(), ...ends.flatMap((end) => end?.getTime() ?? []));
  return { started_at: startedAt.toISOString(), completed_at: new Date(last).toISOString() };
}

/** Returns the operations of a resource whose creation is one scan. */
export function scanOperations<Finished, Summary>(
  id: string,
  scan: ConsoleScan<Finished, Summary>,
) {
  const again = "Increase timeout and apply again, which starts a new scan.";
  return {
    // The results do not change. A console without a license was reinstalled.
    async read<State>(
      state: State,
      privateState: PrivateState,
      { connection, signal }: OperationContext<Console>,
    ): Promise<Outcome<State>> {
      const answer = await unlessGone(async () => {
        await connection.client.getRuntimePolicies(signal);
        return "scanned";
      });
      return { state: answer === undefined ? null : state, private: privateState };
    },

    async create<Triggers>(
      { triggers, timeout, poll_interval }: Settings & { readonly triggers: Triggers },
      _: unknown,
      context: WriteContext<Console>,
    ) {
      const found = await finished(scan, { timeout, poll_interval }, context, again);
      if ("problem" in found) return { state: null, diagnostics: [found.problem] };
      return { state: { id, triggers, timeout, poll_interval, ...found.summary } };
    },

    // In-place changes affect the next scan only.
    update<State>({
      prior,
      planned,
      private: privateState,
    }: UpdateRequest<State, Settings, unknown>) {
      const { timeout, poll_interval } = planned;
      return Promise.resolve({
        state: { ...prior, timeout, poll_interval },
        private: privateState,
      });
    },

    delete: () => Promise.resolve({ state: null }),

    insteadOfImport: "A scan cannot be imported; an apply starts one.",
  };
}

/** Returns an action that is one scan, as the resource of the same name starts it. */
export function scanAction<Finished, Summary, A extends ReturnType<typeof scanAttributes>>(
  scan: ConsoleScan<Finished, Summary>,
  {
    resultOf,
    ...definition
  }: Omit<ActionDefinition<A, Console, Settings>, "invoke"> & {
    /** The counts of a finished scan, to be shown. */
    readonly resultOf: (summary: Summary) => string;
  },
): ActionDefinition<A, Console, Settings> {
  // A trigger has had its event when its action fails.
  const again =
    "Increase timeout and invoke the action with -invoke: an apply without changes does not invoke it again.";
  return {
    ...definition,
    async invoke(config, context) {
      const found = await finished(scan, config, context, again);
      if ("problem" in found) return [found.problem];
      context.progress(`Scan complete. ${resultOf(found.summary)}`);
      return [];
    },
  };
}

/**
 * Scans, shows the progress, and returns the summary, or why the scan did not end in time.
 *
 * @param again - how to start another scan
 */
async function finished<Finished, Summary>(
  { what, run, summaryOf }: ConsoleScan<Finished, Summary>,
  { timeout, poll_interval }: Settings,
  { connection, signal, progress, beforeWrite }: WriteContext<Console>,
  again: string,
): Promise<{ readonly summary: Summary } | { readonly problem: Diagnostic }> {
  await beforeWrite();
  try {
    const found = await run(connection.client, {
      timeout: timeout * 1000,
      interval: poll_interval * 1000,
      onProgress: ({ finished: done, count }) => {
        progress(`${done} of ${count} ${what} scanned`);
      },
      signal,
    });
    return { summary: summaryOf(found) };
  } catch (failure) {
    if (!(failure instanceof ScanTimeoutError)) throw failure;
    const detail = printed`${failure.message}\n\nThe console may continue the scan. ${again}`;
    return { problem: error("Scan did not end in time", detail, ["timeout"]) };
  }
}
