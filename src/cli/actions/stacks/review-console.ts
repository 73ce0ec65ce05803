import type { ConsoleClient } from "../../../api/client";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { memberOf } from "../../../core/member-of";
import { isPolicySet } from "../../../review/protection/review-protection";
import { cwpProvider } from "../../../provider/cwp-provider";
import type { ResourceChange, StackPlan } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import type { Screen } from "../../terminal/screen";
import { withLive } from "../../stacks/live";
import { withConsole } from "../console/console-from-environment";
import { foundPolicies } from "./policy-sources";

/** The plans, or the reported reason for none. */
type FoundPlans =
  | { readonly plans: readonly StackPlan[] }
  | { readonly code: ExitCode; readonly problems: readonly Diagnostic[] };

/**
 * Adds the policies of the console of the environment to plans that lack them, with `live` also what
 * runs there. All objects have to be on this console: its credentials go to no address that only a
 * plan names.
 */
export async function withFoundPolicies(
  screen: Screen,
  plans: readonly StackPlan[],
  { live = false }: { readonly live?: boolean },
): Promise<FoundPlans> {
  const problems: Diagnostic[] = [];
  const recording: Screen = {
    ...screen,
    report: (diagnostics) => {
      problems.push(...diagnostics);
      return screen.report(diagnostics);
    },
    fail: (diagnostic) => {
      problems.push(diagnostic);
      return screen.fail(diagnostic);
    },
  };
  let completed = plans;
  const code = await withConsole(recording, async ({ client }, signal) => {
    if (recording.report(plans.flatMap((plan) => objectsElsewhere(plan, client)))) {
      return ExitCode.ERROR;
    }
    if (!plans.some(({ changes, drift }) => [...changes, ...drift].some(isPolicySet))) {
      return ExitCode.DONE;
    }
    const found = await foundPolicies(client, signal);
    const complete = (change: ResourceChange) =>
      isPolicySet(change) ? { ...change, found, endpoint: client.address } : change;
    completed = plans.map((plan) => ({
      ...plan,
      changes: plan.changes.map(complete),
      drift: plan.drift.map(complete),
    }));
    if (live) completed = await withLive(completed, () => client, signal);
    return ExitCode.DONE;
  });
  return code === ExitCode.DONE ? { plans: completed } : { code, problems };
}

/** An error for a plan with objects that are not on the console, or of which this is not known. */
function objectsElsewhere(
  { stack, changes, drift }: StackPlan,
  { address, identity }: ConsoleClient,
): readonly Diagnostic[] {
  const isOurs = ({ provider }: ResourceChange) => provider.endsWith(`/${cwpProvider.source}`);
  const isHere = (change: ResourceChange) => {
    const { endpoint, mode } = change;
    if (endpoint !== undefined) return endpoint === address;
    // A provider that takes its address from the environment has it in no plan, but its objects do.
    const name = consoleOf(change);
    return mode === "data" || (name !== undefined && identity.names.has(name));
  };
  const first = [...changes, ...drift].find((change) => isOurs(change) && !isHere(change));
  if (!first) return [];
  const place = first.endpoint ?? consoleOf(first);
  const reason =
    place === undefined
      ? `The plan of "${stack}" does not show the console of ${first.address}. Apply the stack once with this version, which stores it, or make base_url of its provider a constant or a variable.`
      : `${first.address} of "${stack}" is on ${place}.`;
  const detail = `${reason} --console reads ${address}, the console of CONSOLE_URL, and sends its credentials to no other one. Nothing was sent.`;
  return [error("Plan is for another console", detail)];
}

/** The name of the console that an object is planned for, or was stored for. */
function consoleOf({ before, after }: ResourceChange): string | undefined {
  const names = [after, before].map((object) => memberOf(object, "console"));
  return names.find((name) => typeof name === "string");
}
