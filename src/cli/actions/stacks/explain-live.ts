import { DecisionTally, type RunningContainer } from "../../../protection/live";
import { fitOfQuery } from "../../../protection/possible-decisions";
import type { WorkloadQuery } from "../../../protection/explain";
import { compileScope, type Policy, type Scope } from "../../../protection/policy";
import type { LiveReading } from "../../../review/protection/live-reading";
import type { LiveExplanation } from "../../../review/protection/explanation-text";
import { readContainers, type LiveSource } from "../../stacks/live";

/** The policies on the console, and those after the plan of a stack. */
export interface ExplainedSides {
  readonly now: readonly Policy[];
  readonly planned?: readonly Policy[];
  readonly missing?: readonly string[];
}

/** The workloads that are asked for: by values, and by patterns of other members. */
export interface Asked {
  readonly query: WorkloadQuery;
  readonly within: readonly Scope[];
}

/** Reads the containers of a console, and counts those that are asked for by their policies. */
export async function explainRunning(
  source: LiveSource,
  { query, within }: Asked,
  { now, planned }: ExplainedSides,
  signal: AbortSignal,
): Promise<LiveExplanation> {
  const [before, after] = [new DecisionTally(now), planned && new DecisionTally(planned)];
  const scopes = within.map(compileScope);
  const count = { yes: 0, maybe: 0, no: 0 };
  const take = (container: RunningContainer) => {
    const fit = fitOfQuery(query, container.workload, scopes);
    count[fit] += 1;
    if (fit !== "yes") return;
    before.add(container);
    after?.add(container);
  };
  const reading: LiveReading = await readContainers(source, take, signal);
  return {
    ...reading,
    running: count.yes + count.maybe + count.no,
    matching: count.yes,
    uncertain: count.maybe,
    now: before.counts(),
    ...(after && { planned: after.counts() }),
  };
}
