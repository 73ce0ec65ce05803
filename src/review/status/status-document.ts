import { compareStrings } from "../../core/values";
import { groupBy } from "../../core/group-by";
import type { StatusFinding } from "./find-status";
import {
  FINDING_KINDS,
  type FindingGroup,
  type FindingKind,
  type StatusDocument,
} from "./status-schema";

/** A stack with what was found. */
export interface StackStatus extends Pick<
  StatusDocument["stacks"][number],
  "name" | "consoles" | "labels" | "last_apply" | "lock" | "running"
> {
  readonly findings: readonly StatusFinding[];
}

/** Locks are held this long before somebody has to look. */
const LONG_LOCK_MS = 3_600_000;

/** Returns the finding for a lock that is held for long. */
export function findingOfLock(lock: StatusDocument["stacks"][number]["lock"], now: Date) {
  const ageMs = now.getTime() - Date.parse(lock?.created ?? "");
  if (!lock || !(ageMs > LONG_LOCK_MS)) return [];
  const text = `Locked for ${formatAge(ageMs)} by ${lock.who || "an unknown user"} (${lock.operation || "unknown operation"})`;
  return [{ kind: "lock", text } as const];
}

/** `3 hours`, `2 days` */
function formatAge(ageMs: number): string {
  const hours = Math.floor(ageMs / 3_600_000);
  const [count, unit] = hours < 48 ? [hours, "hour"] : [Math.floor(hours / 24), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Groups what was found, the worst first. */
export function statusDocument(
  stacks: readonly StackStatus[],
  general: readonly StatusFinding[],
  { createdAt, withinDays }: { readonly createdAt: Date; readonly withinDays: number },
): StatusDocument {
  const all = [
    ...stacks.flatMap(({ name, findings }) => findings.map((found) => ({ ...found, name }))),
    ...general.map((found) => ({ ...found, name: undefined })),
  ];
  const findings = groupBy(all, ({ kind, text }) => JSON.stringify([kind, text]))
    .map((group): FindingGroup => {
      const [{ kind, text }] = group;
      const names = new Set(group.flatMap(({ name }) => name ?? []));
      return { kind, text, stacks: [...names] };
    })
    .sort(byRank);
  const worstOf = (found: readonly StatusFinding[]) =>
    FINDING_KINDS.find((kind) => found.some((one) => one.kind === kind)) ?? null;
  const counts = FINDING_KINDS.flatMap((kind): [FindingKind, number][] => {
    const groups = findings.filter((one) => one.kind === kind);
    const names = new Set(groups.flatMap((group) => group.stacks));
    const count = names.size + groups.filter((group) => group.stacks.length === 0).length;
    return count > 0 ? [[kind, count]] : [];
  });
  return {
    format_version: "1.0",
    type: "cdktf-console status",
    created_at: createdAt.toISOString(),
    within_days: withinDays,
    exit_code: exitCodeOf(findings),
    total: stacks.length,
    quiet: stacks.filter((stack) => stack.findings.length === 0).length,
    counts: Object.fromEntries(counts),
    findings,
    stacks: stacks.map(({ findings: found, ...stack }) => ({ ...stack, worst: worstOf(found) })),
  };
}

/**
 * Joins what several machines have found of their stacks, in the order of their names.
 *
 * @param unread - stacks that no machine could read
 */
export function joinStatus(
  documents: readonly StatusDocument[],
  { unread, createdAt }: { readonly unread: readonly StackStatus[]; readonly createdAt: Date },
): StatusDocument {
  const read = documents.flatMap(({ stacks, findings }) =>
    stacks.map((stack) => {
      const own = findings.filter((found) => found.stacks.includes(stack.name));
      return { ...stack, findings: own };
    }),
  );
  const all = [...read, ...unread].sort((a, b) => compareStrings(a.name, b.name));
  const findings = documents.flatMap((document) => document.findings);
  const general = findings.filter(({ stacks }) => stacks.length === 0);
  const [withinDays = 0] = documents.map((document) => document.within_days);
  return statusDocument(all, general, { createdAt, withinDays });
}

function byRank(one: FindingGroup, other: FindingGroup): number {
  return (
    FINDING_KINDS.indexOf(one.kind) - FINDING_KINDS.indexOf(other.kind) ||
    other.stacks.length - one.stacks.length ||
    compareStrings(one.text, other.text)
  );
}

function exitCodeOf(findings: readonly FindingGroup[]): number {
  const has = (...kinds: readonly FindingKind[]) =>
    findings.some(({ kind }) => kinds.includes(kind));
  if (has("weaker", "contract")) return 3;
  if (has("unread", "license")) return 1;
  return findings.length > 0 ? 2 : 0;
}
