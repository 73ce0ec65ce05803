import { groupBy } from "../../core/group-by";
import { printable } from "../../core/printed";
import type { LiveChange, LiveCounts, LiveRegion } from "../../protection/live-counts";
import type { Region } from "../../protection/compare";
import { FIELDS, type Workload } from "../../protection/policy";
import { describeCheck, type CheckTitles } from "./check-titles";
import type { LiveReading } from "./live-reading";
import { byRank, describeHidden, severityOf } from "./severity";
import { cut, type Extent } from "./where-text";

const MOST_SENTENCES = 10;
const MOST_NAMESPACES = 5;

/**
 * Describes what happens to the containers that run, then what was read: `17 of 412 running
 * containers lose the block of check 599: 12 in namespace prod-pay (payments-api, …), 5 in prod-web.`
 */
export function describeLive(
  { counts, ...reading }: LiveReading,
  titles: CheckTitles,
  extent: Extent = {},
): readonly string[] {
  const sources = describeSources(reading, counts?.running);
  if (!counts) return sources;
  const alike = groupBy(counts.changes, ({ before, after, running, namespaces }) =>
    JSON.stringify([before, after, running, namespaces]),
  ).map((changes) => {
    const [{ change, running }] = changes;
    const effect = { change, certainty: "certain", checks: changes } as const;
    return { changes, effect, severity: severityOf(effect), running, stacks: 1 };
  });
  const sorted = [...alike].sort(byRank);
  const shown = cut(sorted, MOST_SENTENCES, extent);
  const hidden = describeHidden(sorted.slice(shown.length).map(({ effect }) => effect));
  const isQuiet = alike.length + counts.uncertain === 0;
  return [
    ...shown.map(({ changes }) => describeChanges(changes, counts.running, titles, extent)),
    ...(hidden === undefined ? [] : [`${hidden.replace("and", "And")}.`]),
    ...(isQuiet && counts.running > 0
      ? [`None of ${containers(counts.running)} is protected less or more.`]
      : []),
    ...describeUncertain(counts),
    ...sources,
  ];
}

/** Says what was read and when, or why it was not. */
export function describeSources(
  { read, unread }: Pick<LiveReading, "read" | "unread">,
  running = 0,
): readonly string[] {
  const [first, ...others] = [...read].sort((one, other) => one.at.getTime() - other.at.getTime());
  const last = others.at(-1);
  const what = `Read ${containers(running)}`;
  const reasons = groupBy(unread, ({ reason }) => reason).map(([{ console, reason }, ...more]) => {
    const where = console === null ? "its console" : printable(console);
    const which = more.length > 0 ? `${where} and ${more.length} more` : where;
    return `The containers of ${which} are not known: ${printable(reason)}`;
  });
  return [
    ...(first && last
      ? [`${what} of ${read.length} consoles, from ${time(first.at)} to ${time(last.at)}.`]
      : first
        ? [`${what} of ${printable(first.console)} at ${time(first.at)}.`]
        : []),
    ...reasons,
  ];
}

function time(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, "Z");
}

function describeChanges(
  [first, ...others]: readonly [LiveChange, ...LiveChange[]],
  all: number,
  titles: CheckTitles,
  extent: Extent,
): string {
  const { running, namespaces } = first;
  const changes = [first, ...others];
  const checks = changes.map(({ id }) => describeCheck(id, titles));
  const noun = changes.length === 1 ? "check" : "checks";
  const effect = EFFECTS[`${String(first.before)} ${String(first.after)}`] ?? ["lose", "get", ""];
  const [one, several, more] = effect;
  const failing = changes.filter((change) => change.failing > 0);
  const fails = failing.map((change) => {
    const which = changes.length === 1 ? "it" : `check ${printable(change.id)}`;
    return `${change.failing} of them ${change.failing === 1 ? "fails" : "fail"} ${which} now.`;
  });
  const verb = running === 1 ? one : several;
  return [
    `${running} of ${containers(all)} ${verb} ${noun} ${checks.join(", ")}${more}: ${describeNamespaces(namespaces, extent)}.`,
    ...fails,
  ].join(" ");
}

/** The verbs of one container and of several, by the effects before and after. */
const EFFECTS: Readonly<Record<string, readonly [string, string, string] | undefined>> = {
  "blocks alerts": ["loses the block of", "lose the block of", ""],
  "blocks null": ["loses", "lose", ", which blocks now"],
  "alerts null": ["loses", "lose", ", which alerts now"],
  "alerts blocks": ["gets the block of", "get the block of", ""],
  "null blocks": ["gets", "get", ", which then blocks"],
  "null alerts": ["gets", "get", ", which then alerts"],
};

function describeNamespaces(namespaces: LiveChange["namespaces"], extent: Extent): string {
  const sorted = [...namespaces].sort((one, other) => other.running - one.running);
  const parts = cut(sorted, MOST_NAMESPACES, extent).map(({ namespace, running, names }, index) => {
    const noun = index === 0 ? "namespace " : "";
    const where = namespace === null ? "no known namespace" : `${noun}${printable(namespace)}`;
    const [name, ...more] = names;
    const example =
      name === undefined ? "" : ` (${printable(name)}${more.length > 0 ? ", …" : ""})`;
    return `${running} in ${where}${example}`;
  });
  const hidden = sorted.length - parts.length;
  return [...parts, ...(hidden > 0 ? [`and more in ${hidden} others`] : [])].join(", ");
}

function describeUncertain({ uncertain, running, missing }: LiveCounts): readonly string[] {
  if (uncertain === 0) return [];
  const fields = missing.map((field) => field.replace("_", " "));
  const reason =
    fields.length === 0
      ? "policies that are not known decide"
      : `policies look at ${fields.join(" and ")}, which their records do not have`;
  const verb = uncertain === 1 ? "is" : "are";
  return [`${uncertain} of ${containers(running)} ${verb} uncertain: ${reason}.`];
}

function containers(count: number): string {
  return `${count} running ${count === 1 ? "container" : "containers"}`;
}

/** Says what runs in a region: on one console in containers, on several in consoles. */
export function describeLiveRegion(
  { running, uncertain, consoles }: LiveRegion,
  all: Pick<LiveCounts, "consoles"> = { consoles: 1 },
): string {
  if (all.consoles > 1 && running > 0) {
    const verb = consoles === 1 ? "runs" : "run";
    return `${consoles} of ${all.consoles} consoles ${verb} a workload there`;
  }
  const maybe = uncertain > 0 ? `${uncertain} may be there` : "";
  if (running > 0) return [containers(running), maybe].filter((part) => part !== "").join(", ");
  const where = all.consoles > 1 ? ` on ${all.consoles} consoles` : "";
  return maybe === "" ? `nothing runs there${where}` : maybe;
}

/** A container of a region, by the fields that the region names, its name and its namespace. */
export function liveExample(
  { where }: Pick<Region, "where">,
  { example }: LiveRegion,
): Workload | null {
  if (!example) return null;
  const scopes = [...where.all, ...where.none];
  const named = FIELDS.filter((field) => scopes.some((scope) => scope[field] !== undefined));
  const { container = null, namespace = null, labels = [] } = example;
  const { image = null, host = null, account_id = null } = example;
  return {
    image: named.includes("images") ? image : null,
    container,
    namespace,
    host: named.includes("hosts") ? host : null,
    account_id: named.includes("account_ids") ? account_id : null,
    labels: named.includes("labels") ? labels : [],
  };
}
