import type { CheckChange } from "../../protection/compare";
import { FIELDS, MEMBER_OF, type Scope, type Where, type Workload } from "../../protection/policy";
import { printable } from "../../core/printed";
import { describeCheck, type CheckTitles } from "./check-titles";

const MOST_SCOPES = 5;
const MOST_PATTERNS = 5;

export interface Extent {
  /** Lists all checks, scopes and patterns, as files do. Default: false. */
  readonly isWhole?: boolean;
}

/**
 * The workloads of a region: `namespaces prod-*, except images x/*`. A scope of several fields is in
 * brackets beside others: `everything, except (namespaces prod* with images x/*) or labels a`.
 */
export function describeWhere({ all, none }: Where, extent: Extent = {}): string {
  const isOne = all.length + none.length === 1;
  const scopes = (some: readonly Scope[]) =>
    some.map((scope) => {
      const text = describeScope(scope, extent);
      return isOne || Object.keys(scope).length < 2 ? text : `(${text})`;
    });
  const inside = scopes(all).join(" and ");
  if (none.length === 0) return inside === "" ? "everything" : inside;
  const most = extent.isWhole ? none.length : MOST_SCOPES;
  if (inside === "" && none.length > most) return "everything else";
  const excepted = scopes(none.slice(0, most)).join(" or ");
  const more = moreOf(none.length, most);
  return `${inside === "" ? "everything" : inside}, except ${excepted}${more ? ` ${more}` : ""}`;
}

/** `namespaces prod-*, -prod-pay* with images x/*` */
export function describeScope(scope: Scope, { isWhole }: Extent): string {
  const fields = FIELDS.flatMap((field) => {
    const patterns = scope[field];
    if (!patterns) return [];
    const most = isWhole ? patterns.length : MOST_PATTERNS;
    const first = patterns.slice(0, most).map(printable).join(", ");
    const more = moreOf(patterns.length, most);
    return [`${field.replace("_", " ")} ${first}${more ? ` ${more}` : ""}`];
  });
  return fields.length === 0 ? "everything" : fields.join(" with ");
}

/** The values that a workload has: `namespace prod-payx`. */
export function describeWorkload(workload: Workload): string | undefined {
  const fields = FIELDS.flatMap((field) => {
    if (field === "labels") {
      return workload.labels.length > 0
        ? [`labels ${workload.labels.map(printable).join(", ")}`]
        : [];
    }
    const value = workload[MEMBER_OF[field]];
    return value === null ? [] : [`${MEMBER_OF[field].replace("_", " ")} ${printable(value)}`];
  });
  return fields.length === 0 ? undefined : fields.join(", ");
}

/** `namespaces prod-pay: check 599 (runs as root) blocks -> alerts` */
export function describeRegion(
  { where, checks }: { readonly where: Where; readonly checks: readonly CheckChange[] },
  titles: CheckTitles,
  extent?: Extent,
): string {
  const changes = checks.map(
    ({ id, before, after }) =>
      `check ${describeCheck(id, titles)} ${before ?? "not checked"} -> ${after ?? "not checked"}`,
  );
  const effect = changes.length === 0 ? "checks that are not known" : changes.join(", ");
  return `${describeWhere(where, extent)}: ${effect}`;
}

/** `and 3 more`; undefined if all are shown. */
export function moreOf(count: number, most: number): string | undefined {
  return count > most ? `and ${count - most} more` : undefined;
}
