import { error, type Diagnostic } from "../../../core/diagnostics";
import type { ConsoleClient } from "../../../api/client";
import type { Policy } from "../../../protection/policy";
import type { FoundCollection } from "../../../provider/review-hints";
import { readScopes } from "../../../provider/collections/console-collections";
import { foundEntry } from "../../../provider/collections/found";
import { readCollectionScopes } from "../../../provider/collections/read-policy";
import { collectionsOf } from "../../../provider/resources/compliance-policy";
import { policyCodec } from "../../../provider/resources/compliance-policy-codec";
import {
  plannedPolicies,
  type PlannedPolicies,
} from "../../../review/protection/review-protection";
import { Session } from "../../../runtime";
import { policiesOn } from "../../contract/policy-file";
import { withConsole } from "../console/console-from-environment";
import { ExitCode } from "../../exit-code";
import type { AppOptions } from "../../stacks/app-stacks";
import { closingAfter } from "../../stacks/closing";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { selectedStacks } from "../../stacks/selection";
import { interruptible } from "../../terminal/interruption";
import type { CommonOptions, Screen } from "../../terminal/screen";

export interface PolicyOptions extends CommonOptions, AppOptions, VariableOptions {
  /** Milliseconds. */
  readonly lockTimeout: number;
}

/**
 * Reads the policies of the console of the environment, or reports why they cannot be read.
 *
 * @param more Reads more from the console.
 */
export async function consolePolicies(
  screen: Screen,
  more?: (policies: readonly Policy[], client: ConsoleClient, signal: AbortSignal) => Promise<void>,
): Promise<readonly Policy[] | ExitCode> {
  let policies: readonly Policy[] = [];
  const code = await withConsole(screen, async ({ client }, signal) => {
    const { entries, scopes } = await foundPolicies(client, signal);
    policies = policiesOn(entries, readCollectionScopes(scopes));
    await more?.(policies, client, signal);
    return ExitCode.DONE;
  });
  return code === ExitCode.DONE ? policies : code;
}

/** Reads the container policies of a console, in its order, and the scopes of their collections. */
export async function foundPolicies(
  client: ConsoleClient,
  signal: AbortSignal,
): Promise<FoundCollection> {
  const { items } = await client.read("policies", signal);
  const entries = items.map((item) => foundEntry(policyCodec, item));
  const isNamed = entries.some(({ value }) => collectionsOf(value) !== undefined);
  const scopes = isNamed ? await readScopes(client, signal) : undefined;
  return { entries, ...(scopes && { scopes: [...scopes.values()] }) };
}

/** Plans one stack: its policies now and after the plan, or the reported reason for none. */
export async function stackPolicies(
  screen: Screen,
  name: string,
  options: PolicyOptions,
): Promise<PlannedPolicies | ExitCode> {
  const selected = await selectedStacks(screen, [name], options);
  if (!selected) return ExitCode.ERROR;
  const { directory, stacks } = selected;
  if (stacks.length !== 1) {
    return screen.fail(error("One stack expected", `${stacks.length} stacks match "${name}".`));
  }
  let policies: PlannedPolicies | undefined;
  const code = await interruptible(screen, async (interruption) => {
    const session = await Session.plan({
      ...loadOptions(screen, directory, stacks, options),
      ...interruption,
      operation: "plan",
      mode: "normal",
      parallelism: 10,
      refresh: true,
      replace: [],
      targets: [],
      lockWaitMs: options.lockTimeout,
      environment: screen.terminal.environment,
      observe: () => undefined,
      failFast: false,
    });
    const work = (): ExitCode => {
      if (screen.report(session.diagnostics)) return ExitCode.ERROR;
      if (session.interrupted) return ExitCode.INTERRUPTED;
      const [found, ...others] = session.plans.flatMap((plan) => plannedPolicies(plan));
      if (!found) return screen.fail(noPolicies(name));
      if (others.length > 0) return screen.fail(severalConsoles(name));
      policies = found;
      return ExitCode.DONE;
    };
    return closingAfter(
      screen,
      () => Promise.resolve().then(work),
      () => session.close(),
    );
  });
  return policies && code === ExitCode.DONE ? policies : code;
}

function noPolicies(stack: string): Diagnostic {
  return error("No policies", `Stack "${stack}" has no compliance policy set.`);
}

function severalConsoles(stack: string): Diagnostic {
  return error("Several consoles", `Stack "${stack}" has policy sets of several consoles.`);
}
