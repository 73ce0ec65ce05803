import type { Release } from "../../../src/api/release";
import type { Json } from "../support/engine";
import type { Dimensions, Row } from "./pairs";
import { SUBJECTS, type Subject, type Variant } from "./subjects";

/** The entries of the first configuration. */
const NAMES = ["A", "B", "C"];

/** Configurations of the second step, by what changes. */
const CHANGES: Readonly<Record<string, readonly Variant[]>> = {
  nothing: variants("A", "B", "C"),
  "an entry in front": variants("D", "A", "B", "C"),
  "an entry behind": variants("A", "B", "C", "D"),
  "the first is gone": variants("B", "C"),
  "the last is gone": variants("A", "B"),
  "the first is renamed": variants("A renamed", "B", "C"),
  "the order": variants("C", "B", "A"),
  "a member of each": NAMES.map((name) => ({ name, changed: true })),
  "the secrets": NAMES.map((name) => ({ name, rotated: true })),
  "two names": variants("B", "A", "C").map((variant) => ({ ...variant, changed: true })),
  everything: variants("D", "E"),
  "no entry is left": [],
  on_destroy: variants("A", "B", "C"),
  ownership: variants("A", "B", "C"),
};

function variants(...names: string[]): readonly Variant[] {
  return names.map((name) => ({ name }));
}

type Items = readonly Json[];

/** Changes by somebody, of the items that the first step wrote. */
const DRIFTS: Readonly<Record<string, (items: Items, subject: Subject) => Items>> = {
  none: (items) => items,
  before: (items, { item }) => [item("Manual"), ...items],
  between: ([first = {}, ...items], { item }) => [first, item("Manual"), ...items],
  after: (items, { item }) => [...items, item("Manual")],
  "with the name of a new one": (items, { item }) => [...items, item("D")],
  "the first is removed": (items) => items.slice(1),
  "the last is removed": (items) => items.slice(0, -1),
  renamed: (items, { key }) =>
    items.map((item, index) => (index === 1 ? { ...item, [key.member]: "Renamed" } : item)),
  moved: (items) => [...items].reverse(),
  "moved round": ([first = {}, ...items]) => [...items, first],
  changed: (items, { change }) =>
    items.map((item, index) => (index === 0 ? { ...item, ...change } : item)),
  "without credentials": (items) =>
    items.map((item) => ({
      ...item,
      ...("credential" in item && { credential: {} }),
    })),
  "with another account": (items) =>
    items.map(({ credential, ...item }) => ({
      ...item,
      ...(isCredential(credential) && { credential: { ...credential, accountID: "theirs" } }),
    })),
  twice: ([first = {}, ...items]) => [first, ...items, { ...first }],
  "all gone": () => [],
  "all others": (_, { item }) => [item("Manual"), item("D")],
};

function isCredential(value: unknown): value is Json & { readonly accountID: string } {
  return typeof value === "object" && value !== null && "accountID" in value && !!value.accountID;
}

/** The settings of `lifecycle`, for a subject and a resource that changes beside it. */
const LIFECYCLES: Readonly<Record<string, (subject: Subject, trigger: string) => Json>> = {
  none: () => ({}),
  "ignores the list": ({ list }) => ({ ignore_changes: [list] }),
  "ignores all": () => ({ ignore_changes: "all" }),
  "ignores an entry": ({ list }) => ({ ignore_changes: [`${list}[0]`] }),
  "ignores a member": ({ list, changing }) => ({ ignore_changes: [`${list}[0].${changing}`] }),
  "ignores a key": ({ list, key }) => ({ ignore_changes: [`${list}[0].${key.attribute}`] }),
  "ignores a credential": ({ list }) => ({ ignore_changes: [`${list}[0].credential`] }),
  "ignores a secret": ({ list }) => ({ ignore_changes: [`${list}[0].credential.secret`] }),
  "ignores on_destroy": () => ({ ignore_changes: ["on_destroy"] }),
  "ignores ownership": () => ({ ignore_changes: ["ownership"] }),
  "creates first": () => ({ create_before_destroy: true }),
  "is triggered": (_, trigger) => ({ replace_triggered_by: [trigger] }),
  "is triggered and creates first": (_, trigger) => ({
    replace_triggered_by: [trigger],
    create_before_destroy: true,
  }),
  "is triggered and ignores the list": ({ list }, trigger) => ({
    replace_triggered_by: [trigger],
    ignore_changes: [list],
  }),
  "is triggered, creates first and ignores all": (_, trigger) => ({
    replace_triggered_by: [trigger],
    create_before_destroy: true,
    ignore_changes: "all",
  }),
};

/** How an object is made, what somebody changes, and what its stack changes. */
export type Case = Row<typeof DIMENSIONS>;

export const DIMENSIONS = {
  subject: SUBJECTS.map(({ type }) => type),
  ownership: ["exclusive", "prefix", "suffix", "shared"],
  onDestroy: ["restore", "keep", "clear"],
  lifecycle: Object.keys(LIFECYCLES),
  drift: Object.keys(DRIFTS),
  change: Object.keys(CHANGES),
} satisfies Dimensions;

/** The subject has the attributes that the values are about. */
export function isPossible(one: Case): boolean {
  const { hasCredentials, ownerships } = subjectOf(one);
  const values = [one.lifecycle, one.drift, one.change];
  return (
    (one.ownership === "exclusive" || ownerships.includes(one.ownership)) &&
    (one.ownership === "exclusive" || one.onDestroy !== "clear") &&
    (hasCredentials || !values.some((value) => /credential|secret|account/.test(value))) &&
    (ownerships.length > 0 || !values.some((value) => value.includes("ownership")))
  );
}

export function subjectOf({ subject: type }: Case): Subject {
  const subject = SUBJECTS.find((one) => one.type === type);
  if (!subject) throw new Error(`no subject ${type}`);
  return subject;
}

/** The variants that the second configuration has. */
export function changedVariants({ change }: Case): readonly Variant[] {
  return CHANGES[change] ?? [];
}

/** The items of the case's console before the first step, without default ones. */
export function originalItems(one: Case): Items {
  const { item } = subjectOf(one);
  return one.ownership === "exclusive" ? [] : [item("Other 1"), item("Other 2")];
}

/** The console's items after the drift. */
export function drifted(one: Case, items: Items): Items {
  const subject = subjectOf(one);
  const isOther = (item: Json) => /^(Other|Default)/.test(String(item[subject.key.member]));
  const managed = items.filter((item) => !isOther(item));
  const changed = DRIFTS[one.drift]?.(managed, subject) ?? managed;
  const others = items.filter(isOther);
  return one.ownership === "suffix" ? [...others, ...changed] : [...changed, ...others];
}

/** The resource of a case, in the first or the second configuration. */
export function resourceOf(one: Case, step: 1 | 2, trigger: string, release: Release): Json {
  const subject = subjectOf(one);
  const isFirst = step === 1;
  const variantsNow = isFirst ? variants(...NAMES) : changedVariants(one);
  const ownership =
    isFirst || one.change !== "ownership" ? one.ownership : otherThan(one, subject.ownerships);
  // Something must change where the list is ignored, or nothing is written.
  const changes = one.change === "on_destroy" || /^ignores (the|an?) /.test(one.lifecycle);
  const other = one.onDestroy === "keep" ? "restore" : "keep";
  const chosen = isFirst || !changes ? one.onDestroy : other;
  // Only an exclusive collection can be cleared.
  const onDestroy = chosen === "clear" && ownership !== "exclusive" ? "keep" : chosen;
  const lifecycle = LIFECYCLES[one.lifecycle]?.(subject, trigger) ?? {};
  return {
    ...(subject.ownerships.length > 0 && { ownership }),
    on_destroy: onDestroy,
    [subject.list]: variantsNow.map((variant) => subject.entry(variant, release)),
    ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
  };
}

function otherThan({ ownership }: Case, ownerships: readonly string[]): string {
  const index = ownerships.indexOf(ownership);
  return ownerships[(index + 1) % ownerships.length] ?? ownership;
}
