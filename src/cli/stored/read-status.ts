import { world } from "../../core/io/world";
import { Limit } from "../../core/io/limit";
import { DecisionTally } from "../../protection/live";
import {
  findingOfExcluded,
  findingsOfLicense,
  findingsOfRunning,
  findingsOfWaivers,
  statusFindings,
  type RunningNow,
} from "../../review/status/find-status";
import { blindCauseOf } from "../../review/exclusions/blind-stacks";
import { plannedPolicies, POLICIES } from "../../review/protection/review-protection";
import {
  findingOfLock,
  statusDocument,
  type StackStatus,
} from "../../review/status/status-document";
import type { StatusDocument } from "../../review/status/status-schema";
import type { StackEntry } from "../../language";
import type { Session, StackPlan } from "../../runtime";
import { describeStored } from "./list-stacks";
import type { Interruption } from "../terminal/interruption";
import type { Terminal } from "../terminal/terminal";
import { readContainers } from "../stacks/live";
import type { OpenConsoles } from "../stacks/open-consoles";
import type { ProtectionGate } from "../stacks/protection-gate";

/** Stacks that were read. */
interface StatusRequest {
  readonly session: Pick<Session, "plans" | "excluded">;
  readonly gate: ProtectionGate;
  readonly stacks: readonly StackEntry[];
  /** Their running containers, where they were to be read; undefined if a console did not answer. */
  readonly running?: ReadonlyMap<string, RunningNow | undefined>;
  /** Days until which the end of a license or a waiver is a finding. */
  readonly within: number;
}

/** Returns what a person on duty has to see of stacks that were planned without a lock. */
export async function describeStatus(
  terminal: Terminal,
  { session: { plans, excluded }, gate, stacks, running, within }: StatusRequest,
): Promise<StatusDocument> {
  const now = world.clock.now();
  const verdict = gate.judge(plans, excluded, now.getTime());
  const planned = new Map(plans.map((plan) => [plan.stack, plan]));
  const left = new Map(excluded.map((one) => [one.stack, one]));
  const all = await Promise.all(
    stacks.map(async (entry): Promise<StackStatus> => {
      const { name } = entry;
      const [plan, out, live] = [planned.get(name), left.get(name), running?.get(name)];
      const { consoles, labels, writtenAt, lock } = await describeStored(terminal, entry);
      return {
        name,
        consoles: [...consoles],
        labels: { ...labels },
        last_apply: writtenAt?.toISOString() ?? null,
        lock: lock ?? null,
        ...(live && { running: live.running }),
        findings: [
          ...(plan ? statusFindings(plan, verdict) : []),
          ...(plan ? findingsOfLicense(plan, within, now) : []),
          ...(out ? [findingOfExcluded(out)] : []),
          ...findingOfLock(lock ?? null, now),
          ...(running?.has(name) ? findingsOfRunning(live) : []),
        ],
      };
    }),
  );
  const waivers = findingsOfWaivers(verdict.waivers, within, now);
  return statusDocument(all, waivers, { createdAt: now, withinDays: within });
}

/** Consoles whose containers are read at the same time. */
const MOST_CONSOLES = 10;

/** Counts the running containers of consoles, for each stack whose console was read before. */
export async function readRunning(
  plans: readonly StackPlan[],
  consoles: OpenConsoles | undefined,
  { stop }: Interruption,
): Promise<ReadonlyMap<string, RunningNow | undefined>> {
  const found = new Map<string, RunningNow | undefined>();
  if (!consoles) return found;
  const limit = new Limit(MOST_CONSOLES);
  const readOne = async (plan: StackPlan) => {
    const policies = plannedPolicies(plan).find(({ collection }) => collection === POLICIES);
    // The status of a console that was not read says so.
    if (!policies || blindCauseOf(plan) !== undefined) return;
    const { before, change, isRead } = policies;
    const tally = new DecisionTally(before);
    const count = { running: 0, failing: 0 };
    const source = {
      client: consoles.at(change.endpoint)?.client,
      address: change.endpoint,
      isRead,
    };
    const { read } = await readContainers(
      source,
      (container) => {
        tally.add(container);
        count.running += 1;
        if (container.failing.size > 0) count.failing += 1;
      },
      stop,
    );
    const isWhole = read.length > 0;
    found.set(plan.stack, isWhole ? { ...count, decisions: tally.counts() } : undefined);
  };
  await Promise.all(plans.map((plan) => limit.run(() => readOne(plan))));
  return found;
}
