import { joined, printed } from "../../core/printed";
import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import { formatJson } from "../../core/json/format-json";
import { dynamicTypeOf } from "../../core/schema/dynamic";
import { sameType } from "../../core/types";
import { differingPaths } from "../../core/differing-paths";
import { valuesEqual, type AttributePath } from "../../core/values";
import { memberOf } from "../../core/member-of";
import type { PlanDocument } from "../../core/documents/plan-document";
import type { Action, OutputChange, ResourceChange } from "../../core/documents/stack-plan";

/** A difference from the saved plan, with its reasons. */
interface Difference {
  /** An address, or `output NAME`. */
  readonly subject: string;
  readonly reasons: readonly string[];
}

type Compared = Pick<PlanDocument, "plan" | "outputs">;

/** Compares a new plan with the saved one. Differences are an error. */
export function comparePlans(
  { plan: saved, outputs: planned }: Compared,
  { plan: present, outputs: now }: Compared,
): readonly Diagnostic[] {
  const resources = pairs(
    saved.changes.filter(isCompared),
    present.changes.filter(isCompared),
    changeKey,
  );
  const drift = saved.mode === "refresh-only" ? pairs(saved.drift, present.drift, changeKey) : [];
  const outputs = pairs(saved.outputs, present.outputs, ({ name }) => name);
  const hasType = (name: string) =>
    formatJson(memberOf(planned, name)?.type ?? null) ===
    formatJson(memberOf(now, name)?.type ?? null);
  return refused([
    ...[...resources, ...drift].map(([before, now]) => ({
      subject: before?.address ?? now?.address ?? "",
      reasons: compareChanges(before, now),
    })),
    ...outputs.map(([one, other]) => {
      const name = one?.name ?? other?.name ?? "";
      const same = sameOutput(one, other) && hasType(name);
      const reasons = same ? [] : ["would not get the value that was planned"];
      return { subject: `output ${name}`, reasons };
    }),
  ]);
}

/** Compares the private state of providers with that of the saved plan. */
export function compareDigests(
  saved: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  return refused(
    Object.keys(saved).map((subject) => ({
      subject,
      reasons:
        memberOf(saved, subject) === memberOf(present, subject)
          ? []
          : ["other objects of its collection were changed since the plan was made"],
    })),
  );
}

/** Excludes data sources that were read: the plan has their results. */
function isCompared({ mode, action }: ResourceChange): boolean {
  return mode === "managed" || action === "read";
}

function compareChanges(
  saved: ResourceChange | undefined,
  present: ResourceChange | undefined,
): readonly string[] {
  if (!saved || !present) {
    const action = (saved ?? present)?.action ?? "no-op";
    if (action === "no-op") return [];
    return [saved ? "is no longer planned" : `is ${WORDS[action]}, which was not planned`];
  }
  if (saved.endpoint !== present.endpoint) {
    const [planned, now] = [saved, present].map(({ endpoint = "an unknown console" }) => endpoint);
    return [`the plan is for ${planned ?? ""}`, `and this is ${now ?? ""}`];
  }
  if (saved.action !== present.action) {
    return [`was ${WORDS[saved.action]}, and is ${WORDS[present.action]} now`];
  }
  const before = differingPaths(saved.before, present.before).map(
    (path) => `${named(path)} was changed since the plan was made`,
  );
  if (before.length > 0) return before;
  const after = differingPaths(saved.after, present.after).map(
    (path) => `${named(path)} would get another value than planned`,
  );
  if (after.length > 0) return after;
  const types = Object.keys(saved.attributes ?? {}).filter(
    (name) => !hasSameType(saved, present, name),
  );
  if (types.length > 0) return types.map((name) => `${name} would get another type than planned`);
  const same =
    saved.reason === present.reason &&
    saved.previousAddress === present.previousAddress &&
    saved.importing?.id === present.importing?.id &&
    formatJson(saved.replacePaths) === formatJson(present.replacePaths);
  return same ? [] : ["is changed for another reason than the plan showed"];
}

/** Compares the planned types of an attribute that can have any. */
function hasSameType(saved: ResourceChange, present: ResourceChange, name: string): boolean {
  if (memberOf(saved.attributes, name)?.type.kind !== "any") return true;
  const typeOf = ({ after }: ResourceChange) => dynamicTypeOf(memberOf(after, name) ?? null);
  return sameType(typeOf(saved), typeOf(present));
}

function sameOutput(saved: OutputChange | undefined, present: OutputChange | undefined): boolean {
  return (
    saved?.action === present?.action &&
    valuesEqual(saved?.before ?? null, present?.before ?? null) &&
    valuesEqual(saved?.after ?? null, present?.after ?? null)
  );
}

function named(path: AttributePath): string {
  return path.length === 0 ? "it" : formatPath(path);
}

const WORDS: Readonly<Record<Action, string>> = {
  "no-op": "to stay as it is",
  create: "to be created",
  read: "to be read",
  update: "to be updated",
  delete: "to be destroyed",
  "delete-then-create": "to be replaced",
  "create-then-delete": "to be replaced, the new one first",
  forget: "to be forgotten",
};

function changeKey({ address, deposed = "" }: ResourceChange): string {
  return JSON.stringify([address, deposed]);
}

function pairs<T>(
  saved: readonly T[],
  present: readonly T[],
  key: (one: T) => string,
): readonly (readonly [T | undefined, T | undefined])[] {
  const before = new Map(saved.map((one) => [key(one), one]));
  const now = new Map(present.map((one) => [key(one), one]));
  return [...new Set([...before.keys(), ...now.keys()])].map((each) => [
    before.get(each),
    now.get(each),
  ]);
}

/** The number of differences to show. */
const SHOWN_DIFFERENCES = 10;

function refused(differences: readonly Difference[]): readonly Diagnostic[] {
  const found = differences.filter(({ reasons }) => reasons.length > 0);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, SHOWN_DIFFERENCES)
    .flatMap(({ subject, reasons }) => [
      `  - ${subject}`,
      ...reasons.slice(0, SHOWN_DIFFERENCES).map((reason) => `      ${reason}`),
      ...(reasons.length > SHOWN_DIFFERENCES
        ? [`      and ${reasons.length - SHOWN_DIFFERENCES} more`]
        : []),
    ]);
  if (found.length > SHOWN_DIFFERENCES)
    lines.push(`  - and ${found.length - SHOWN_DIFFERENCES} more`);
  return [
    error(
      "Saved plan can no longer be applied",
      printed`The plan has changed since it was saved:\n${joined(lines, "\n")}\n\nNothing was changed. Plan again, and review that plan.`,
    ),
  ];
}
