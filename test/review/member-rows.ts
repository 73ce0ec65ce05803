/*
 * Each member of the published schema has a row: the words by which each form has it, and the forms that
 * leave it out, with the reason. A new member fails until it has a row, and a case.
 */

export const FORMS = ["text", "markdown", "html", "sarif", "junit"] as const;
export type Form = (typeof FORMS)[number];

export type Scalar = string | number | boolean | null;

interface Row {
  /** Default: the value itself. */
  readonly words?: (value: Scalar, form: Form, object: Members) => readonly string[];
  readonly without?: Partial<Record<Form, string>>;
}
export type Members = Readonly<Record<string, unknown>>;

const both = (reason: string) => ({ sarif: reason, junit: reason });
const all = (reason: string) => ({ ...both(reason), text: reason, markdown: reason, html: reason });
const counted = (noun: string): Row => ({
  words: (count, form, object) => {
    if (form !== "html" && form !== "markdown") return [`${String(count)} ${noun}`];
    return object.add === undefined ? [] : [String(count)];
  },
  without: both("lists what reviewers act on, not the counts"),
});
/** Code hosts list faults. */
const LOSSES = both("lists what is lost only");
const isLoss = ({ change }: Members) => change === "weaker";
const effect: Row = {
  words: (value) => [value === null ? "not checked" : String(value)],
  without: { ...both("below, with the region") },
};
const pattern: Row = { words: (value) => [String(value)], without: LOSSES };
const workload: Row = {
  words: (value) => (value === null ? [] : [String(value)]),
  without: LOSSES,
};
const live = all("part of the sentence");

export const ROWS: Readonly<Record<string, Row>> = {
  "review.format_version": { without: all("for programs") },
  "review.drifted.stacks": {
    words: (count) => (count === 0 ? [] : [`${String(count)} of 6 stacks drifted`]),
    without: both("has a finding for each loss"),
  },
  "review.drifted.weaker": {
    words: (count) => (count === 0 ? [] : [`${String(count)} weakens protection`]),
    without: both("has a finding for each loss"),
  },
  "review.verdict": {
    words: (verdict, form, { errors }) => {
      if (form === "sarif") return [`"verdict":"${String(verdict)}"`];
      return [errors === undefined ? "could not be planned" : "Planning failed"];
    },
    without: { text: "the exit code and the errors", junit: "failures, and the run's result" },
  },
  "review.warnings.summary": warned(),
  "review.warnings.detail": warned(),
  "review.warnings.address": { words: (value, form) => (form === "sarif" ? [] : [String(value)]) },
  "review.warnings.stacks": {},
  "review.errors.summary": {},
  "review.errors.detail": {},
  "requirement.kind": {
    words: (kind, form, { result }) => {
      if (result === "met" || form === "sarif" || form === "junit") return [];
      return [kind === "baseline" ? "Base line is not met" : "Requirement is violated"];
    },
  },
  "requirement.name": ofClause(),
  "requirement.place": ofClause(),
  "requirement.result": {
    words: (result, form) => (form === "html" ? [`: ${String(result)}`] : []),
  },
  "requirement.breaches.stack": {},
  "requirement.breaches.unproved": {},
  "review.waivers.owner": {},
  "review.waivers.reason": {},
  "review.waivers.expires": {},
  "review.unused_waivers.owner": {},
  "review.unused_waivers.place": {},
  "review.unused_waivers.reason": { without: all("nothing passes by it") },
  "review.unused_waivers.expires": { without: all("nothing passes by it") },
  "review.expired_waivers.owner": {},
  "review.expired_waivers.place": {},
  "review.expired_waivers.reason": { without: all("nothing passes by it") },
  "review.expired_waivers.expires": {},
  "stack.name": {},
  "stack.workspace": { without: both("the stack has its name") },
  "stack.console": {
    words: (value) => (value === null ? [] : [String(value)]),
    without: { ...both("the stack has its name"), text: "the stack has its name" },
  },
  "stack.blind": { words: () => ["not readable yet"] },
  "stack.error": { words: (value) => String(value).split(": ") },
  "counts.import": { words: (count) => (count === 0 ? [] : [`${String(count)} to import`]) },
  "counts.add": counted("to add"),
  "counts.change": counted("to change"),
  "counts.destroy": counted("to destroy"),
  "stack.resources.address": { without: LOSSES },
  "stack.resources.actions": {
    words: (action, form) => (form === "text" ? [] : [String(action).replace("delete", "destroy")]),
    without: LOSSES,
  },
  "stack.drift.address": {},
  "group.stacks": {},
  "group.weaker": ofGroup("weaker"),
  "group.stronger": ofGroup("stronger"),
  "protection.collection": { without: all("the address names the resource") },
  "protection.addresses": {},
  "protection.weaker": { words: weaker("weaker"), without: LOSSES },
  "protection.stronger": { words: weaker("stronger"), without: LOSSES },
  "protection.digest": { without: both("for the command line") },
  "protection.complete": {
    words: (complete) => (complete === true ? [] : ["incomplete"]),
    without: both("its rule: review-incomplete"),
  },
  "protection.reasons": {},
  "protection.sensitive": { words: (is) => (is === true ? ["sensitive"] : []) },
  "protection.coverage.change": {
    words: (change) => (change === "weaker" ? ["ess is covered by"] : ["ore is covered by"]),
    without: LOSSES,
  },
  "protection.coverage.entry": {
    words: (entry, form, object) =>
      isLoss(object) || (form !== "sarif" && form !== "junit") ? [String(entry)] : [],
  },
  "protection.coverage.certainty": certainty({ possible: "(possibly)" }),
  "region.change": {
    words: (change, form) => (form === "html" ? [`${String(change)}:`] : []),
    without: both("lists what is lost only"),
  },
  "region.certainty": certainty({
    possible: "(possibly)",
    unknown: "(depends on values known after apply)",
  }),
  "region.checks.id": {},
  "region.checks.title": {},
  "region.checks.before": effect,
  "region.checks.after": effect,
  "region.assumed": { words: () => ["are assumed"] },
  "decider.policy": {
    words: (name) => (name === null ? [] : [String(name)]),
    without: both("has the policy that decides after the change"),
  },
  "decider.position": { without: all("policies have names") },
  "decider.unknown": { without: both("of the policy that decides after the change") },
  "workload.image": workload,
  "workload.container": workload,
  "workload.namespace": workload,
  "workload.host": workload,
  "workload.account_id": workload,
  "workload.labels": workload,
  "scope.images": pattern,
  "scope.containers": pattern,
  "scope.namespaces": pattern,
  "scope.hosts": pattern,
  "scope.labels": pattern,
  "scope.account_ids": pattern,
  "region.waived_by.owner": {},
  "region.waived_by.reason": {},
  "region.waived_by.expires": {},
  "live_region.consoles": { without: live },
  "live_region.running": {
    words: (count) => (count === 0 ? [] : [`${String(count)} running`]),
    without: LOSSES,
  },
  "live_region.uncertain": {
    words: (count) => (count === 0 ? [] : [`${String(count)} may be there`]),
    without: LOSSES,
  },
  "live.read.console": { without: LOSSES },
  "live.read.at": {
    words: (at) => [String(at).replace(".000Z", "Z")],
    without: LOSSES,
  },
  "live.unread.console": { without: LOSSES },
  "live.unread.reason": { without: LOSSES },
  "live.running": { words: (count) => [`${String(count)} running containers`], without: LOSSES },
  "live.uncertain": {
    words: (count) => (count === 0 ? [] : [`${String(count)} of`, "uncertain"]),
    without: LOSSES,
  },
  "live.missing": { without: LOSSES },
  "live.changes.change": {
    words: (change) => [change === "weaker" ? "lose" : "get"],
    without: LOSSES,
  },
  "live.changes.check": { without: LOSSES },
  "live.changes.title": { without: LOSSES },
  "live.changes.before": { without: live },
  "live.changes.after": { without: live },
  "live.changes.running": { words: (count) => [`${String(count)} of`], without: LOSSES },
  "live.changes.failing": {
    words: (count) => (count === 0 ? [] : [`${String(count)} of them`]),
    without: LOSSES,
  },
  "live.changes.namespaces.namespace": { without: LOSSES },
  "live.changes.namespaces.running": {
    words: (count) => [`${String(count)} in `],
    without: LOSSES,
  },
  "live.changes.namespaces.containers": { without: LOSSES },
};

/** The files have each clause that is kept; a comment counts them, and the others list faults. */
function ofClause(): Row {
  return {
    words: (value, form, { result }) =>
      result === "met" && form !== "html" ? [] : [String(value)],
  };
}

/** A text has one warning for all consoles that cannot be read, in its own words. */
function warned(): Row {
  return {
    words: (value, form, { summary }) =>
      form === "text" && String(summary).includes("not readable yet") ? [] : [String(value)],
  };
}

/** A comment and a page have a table, with a cell for the number. */
function ofGroup(noun: string): Row {
  return {
    words: (count, form) =>
      count === 0 ? [] : [form === "text" ? `${String(count)} ${noun}` : String(count)],
    without: LOSSES,
  };
}

function weaker(noun: string): NonNullable<Row["words"]> {
  return (count) => (count === 0 ? [] : [`${String(count)} ${noun}`]);
}

function certainty(words: Readonly<Record<string, string>>): Row {
  return {
    words: (value, form, object) => {
      const word = words[String(value)];
      if (word === undefined) return [];
      if (form !== "sarif" && form !== "junit") return [word];
      // The level of a finding without a region is enough.
      return isLoss(object) && object.where !== undefined ? ["(not certain)"] : [];
    },
  };
}
