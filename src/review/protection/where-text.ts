import type { CheckChange, Decider, Region } from "../../protection/compare";
import { FIELDS, MEMBER_OF, type Scope, type Where, type Workload } from "../../protection/policy";
import { printable, quote } from "../../core/printed";
import { describeCheck, type CheckTitles } from "./check-titles";

const MOST_SCOPES = 5;
const MOST_PATTERNS = 5;

export interface Extent {
  /** Cuts no list, as in files. Default: false. */
  readonly isWhole?: boolean;
}

/** The first elements that a terminal shows, or all in a file. */
export function cut<T>(all: readonly T[], most: number, { isWhole }: Extent): readonly T[] {
  return isWhole ? all : all.slice(0, most);
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
  const shown = cut(none, MOST_SCOPES, extent);
  if (inside === "" && none.length > shown.length) return "everything else";
  const excepted = `${scopes(shown).join(" or ")}${moreOf(none, shown)}`;
  return `${inside === "" ? "everything" : inside}, except ${excepted}`;
}

/** `namespaces prod-*, -prod-pay* with images x/*` */
function describeScope(scope: Scope, extent: Extent): string {
  const fields = FIELDS.flatMap((field) => {
    const patterns = scope[field];
    if (!patterns) return [];
    const shown = cut(patterns, MOST_PATTERNS, extent);
    return [
      `${field.replace("_", " ")} ${shown.map(printable).join(", ")}${moreOf(patterns, shown)}`,
    ];
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
export function describeChange(
  { where, checks }: Pick<Region, "where" | "checks">,
  titles: CheckTitles,
  extent: Extent,
): string {
  const changes = checks.map(
    ({ id, ...change }) => `check ${describeCheck(id, titles)} ${describeTransition(change)}`,
  );
  const effect = changes.length === 0 ? "checks that are not known" : changes.join(", ");
  return `${describeWhere(where, extent)}: ${effect}`;
}

type OfRegion = Pick<Region, "where" | "checks" | "certainty" | "example"> & {
  readonly after: { readonly [Member in keyof Decider]: Decider[Member] | undefined };
};

/** `namespaces prod-pay: check 599 blocks -> alerts; policy 1 ("exempt") decides. For example …` */
export function describeRegion(
  { after, certainty, example, ...change }: OfRegion,
  titles: CheckTitles,
  extent: Extent,
): string {
  const { policy = null, position = null, unknown } = after;
  const none =
    unknown === undefined ? "no policy decides" : `${printable(unknown)} decide, or none`;
  const decides = policy === null ? none : `${describePolicy(policy, position)} decides`;
  const possibly = certainty === "certain" ? "" : " (not certain)";
  const workload = example && describeWorkload(example);
  const shown = workload ? ` For example ${workload}.` : "";
  return `${describeChange(change, titles, extent)}; ${decides}${possibly}.${shown}`;
}

/** `blocks -> not checked` */
export function describeTransition({ before, after }: Omit<CheckChange, "id">): string {
  return `${before ?? "not checked"} -> ${after ?? "not checked"}`;
}

/** `policy 2 ("root")` */
export function describePolicy(name: string, position: number | null): string {
  return position === null ? `policy ${quote(name)}` : `policy ${position} (${quote(name)})`;
}

/** ` and 3 more`; empty if all are shown. */
export function moreOf(all: readonly unknown[], shown: readonly unknown[]): string {
  const more = all.length - shown.length;
  return more > 0 ? ` and ${more} more` : "";
}
