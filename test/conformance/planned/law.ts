import { createHash } from "node:crypto";
import type { Json } from "../support/engine";
import { secretOf, type Subject, type Variant } from "./subjects";

/** A change in a plan's JSON, and its effect on the console. */
export interface Outcome {
  readonly subject: Subject;
  readonly change: Change;
  /** The configuration that was applied. */
  readonly variants: readonly Variant[];
  /** The apply reported an error for the object. */
  readonly isRefused: boolean;
  /** The items before the first apply, and before and after the one of the plan. */
  readonly original: readonly Json[];
  readonly found: readonly Json[];
  readonly reached: readonly Json[];
  /** The secret as the console stores it. */
  readonly seal: (plain: string) => string;
}

export interface Change {
  readonly actions: readonly string[];
  readonly before: Json | null;
  readonly after: Json | null;
}

/**
 * Returns how the console differs from the plan. It must have what the plan shows in `after`, and
 * everything else as it was. After a refused apply it must be unchanged.
 */
export function violations(outcome: Outcome): readonly string[] {
  const { change, subject, isRefused, found, reached } = outcome;
  if (isRefused) return equal(found, reached) ? [] : ["refused, but the console changed"];
  if (change.after === null) return [];
  const entries = entriesOf(change.after, subject);
  const { managed, others } = splitItems(outcome, entries);
  if (managed.length !== entries.length) {
    return [`${managed.length} items in place of ${entries.length}: ${namesOf(managed, subject)}`];
  }
  const expected = otherItems(outcome, entries);
  return [
    ...entries.flatMap((entry, index) => {
      const { attribute, member } = subject.key;
      const items = subject.ordered
        ? managed.slice(index, index + 1)
        : managed.filter((one) => one[member] === entry[attribute]);
      const found = items.map((item) => differences(outcome, entry, item));
      if (found.some(({ length }) => length === 0)) return [];
      return found[0] ?? [`${nameOf(entry, subject)} is missing`];
    }),
    ...(alike(others, expected)
      ? []
      : [
          `unmanaged items are ${namesOf(others, subject)} in place of ${namesOf(expected, subject)}, or changed`,
        ]),
  ];
}

function entriesOf(object: Json | null, { list }: Subject): readonly Json[] {
  return (object?.[list] ?? []) as readonly Json[];
}

/** The items that the planned object manages, and the rest. */
function splitItems(
  { change, subject, reached }: Outcome,
  entries: readonly Json[],
): { readonly managed: readonly Json[]; readonly others: readonly Json[] } {
  const count = entries.length;
  switch (change.after?.ownership) {
    case "prefix":
      return { managed: reached.slice(0, count), others: reached.slice(count) };
    case "suffix": {
      const start = Math.max(0, reached.length - count);
      return { managed: reached.slice(start), others: reached.slice(0, start) };
    }
    case "shared":
      return claim(
        reached,
        entries.map((entry) => nameOf(entry, subject)),
        subject,
      );
    default:
      return { managed: reached, others: [] };
  }
}

/** The items that no object manages after the apply: a destroy has put back what `on_destroy` says. */
function otherItems(
  { change: { actions, before, after }, subject, original, found }: Outcome,
  entries: readonly Json[],
): readonly Json[] {
  if ((after?.ownership ?? "exclusive") === "exclusive") return [];
  const isReplaced = actions.length > 1;
  const isKept = isReplaced && before?.on_destroy === "keep";
  const isRestored = isReplaced && !isKept && before?.ownership === "exclusive";
  const left = isRestored ? (before.on_destroy === "clear" ? [] : original) : found;
  const known = isKept || isRestored ? [] : entriesOf(before, subject);
  const namesIn = (list: readonly Json[]) => list.map((entry) => nameOf(entry, subject));
  const others = (items: readonly Json[], list: readonly Json[], ownership: unknown) =>
    claim(items, [...new Set(namesIn(list))], subject, ownership === "suffix").others;
  // A create takes over an item that equals its entry, which a destroy before it may have left.
  return actions[0] === "delete"
    ? others(others(left, known, before?.ownership), entries, after?.ownership)
    : others(left, [...known, ...entries], after?.ownership);
}

/** Separates one item of each name from the others. */
function claim(
  items: readonly Json[],
  names: readonly string[],
  { key }: Subject,
  fromEnd = false,
): { readonly managed: readonly Json[]; readonly others: readonly Json[] } {
  const open = new Set(names);
  const claimed = (fromEnd ? [...items].reverse() : items).filter((item) =>
    open.delete(String(item[key.member])),
  );
  const managed = items.filter((item) => claimed.includes(item));
  return { managed, others: items.filter((item) => !managed.includes(item)) };
}

function differences(outcome: Outcome, entry: Json, item: Json): readonly string[] {
  const { subject } = outcome;
  const view = subject.view(item);
  const name = nameOf(entry, subject);
  return Object.entries(entry).flatMap(([attribute, value]) => {
    if (value === null) return [];
    if (attribute === "credential") {
      const problem = credentialProblem(outcome, value as Json, entry, item);
      return problem === undefined ? [] : [`${name}: ${problem}`];
    }
    if (attribute === "extra_json" && typeof value === "string") {
      const members = JSON.parse(value) as Json;
      const same = Object.entries(members).every(([member, one]) => equal(one, item[member]));
      return same ? [] : [`${name} has other members than ${value}`];
    }
    return equal(view[attribute], value)
      ? []
      : [`${name} has ${attribute} ${canonical(view[attribute])}, not ${canonical(value)}`];
  });
}

interface Credential {
  readonly type?: string;
  readonly accountID?: string;
  readonly secret?: { readonly encrypted?: string };
}

/** Compares a credential, and its secret with the one that the plan shows by its fingerprint. */
function credentialProblem(
  { change, subject, variants, found, seal }: Outcome,
  planned: Json,
  entry: Json,
  item: Json,
): string | undefined {
  const credential = (item.credential ?? {}) as Credential;
  if (credential.type !== planned.type || credential.accountID !== planned.account_id) {
    return `the credential is ${canonical(credential)}, not ${canonical(planned)}`;
  }
  const name = nameOf(entry, subject);
  const itemBefore = found.find((one) => one[subject.key.member] === item[subject.key.member]);
  const known = entriesOf(change.before, subject).find((one) => nameOf(one, subject) === name);
  const isKept = change.actions.length === 1 && equal(known?.credential, planned);
  if (isKept) {
    const same = alike(itemBefore?.credential ?? {}, credential);
    return same ? undefined : "the credential is planned to stay, but has changed";
  }
  const stored = credential.secret?.encrypted;
  const configured = variants.find((variant) => variant.name === name);
  const secrets =
    typeof planned.fingerprint === "string" ? SECRETS : configured ? [configured] : [];
  const allowed = secrets
    .map((variant) => secretOf(variant))
    .filter((secret) => [null, fingerprintOf(secret)].includes(planned.fingerprint as null))
    .map(seal);
  const before = (itemBefore?.credential as Credential | undefined)?.secret?.encrypted;
  if (planned.fingerprint === null && stored === before) return undefined;
  return stored !== undefined && allowed.includes(stored) ? undefined : "it has another secret";
}

const SECRETS: readonly Variant[] = ["A", "A renamed", "B"].flatMap((name) => [
  { name },
  { name, rotated: true },
]);

/** The documented fingerprint of a secret without an API token. */
function fingerprintOf(secret: string): string {
  const text = JSON.stringify([secret, null]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function nameOf(entry: Json, { key }: Subject): string {
  return String(entry[key.attribute]);
}

function namesOf(items: readonly Json[], { key }: Subject): string {
  return items.map((item) => String(item[key.member])).join(", ") || "none";
}

function equal(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/**
 * Compares items, except what a console sets itself: members that were never set are empty ones after
 * they were read and sent back, and a policy that is put back has another owner.
 */
function alike(one: unknown, other: unknown): boolean {
  return equal(withoutEmpty(one), withoutEmpty(other));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)]);
  const isSet = ([name, member]: readonly unknown[]) =>
    name !== "owner" && name !== "modified" && !isEmpty(member);
  return Object.fromEntries(members.filter(isSet));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === null || value === 0 || value === false;
}

/** JSON with sorted members. The lists of texts in these items are sets. */
function canonical(value: unknown): string {
  return JSON.stringify([value], (_, part: unknown) => {
    if (Array.isArray(part)) {
      const elements: readonly unknown[] = part;
      return elements.every((one) => typeof one === "string") ? [...elements].sort() : elements;
    }
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  }).slice(1, -1);
}
