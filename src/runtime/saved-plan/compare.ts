import { error, formatPath, type Diagnostic } from "../../provider/diagnostics";
import {
  isListValue,
  isObjectValue,
  memberOf,
  valuesEqual,
  type AttributePath,
  type Value,
} from "../../provider/values";
import type { Action, OutputChange, ResourceChange, StackPlan } from "../documents/plan";

/** Something that would be done otherwise than the plan showed, and in what. */
interface Difference {
  /** An address, or `output NAME`. */
  readonly subject: string;
  readonly reasons: readonly string[];
}

/** Whether a plan that was made anew is the one that was saved; what is different, where it is not. */
export function comparePlans(saved: StackPlan, present: StackPlan): readonly Diagnostic[] {
  const resources = pairs(saved.changes.filter(isTold), present.changes.filter(isTold), keyOf);
  const drift = saved.mode === "refresh-only" ? pairs(saved.drift, present.drift, keyOf) : [];
  const outputs = pairs(saved.outputs, present.outputs, ({ name }) => name);
  return refused([
    ...[...resources, ...drift].map(([before, now]) => ({
      subject: before?.address ?? now?.address ?? "",
      reasons: compareChanges(before, now),
    })),
    ...outputs.map(([before, now]) => ({
      subject: `output ${before?.name ?? now?.name ?? ""}`,
      reasons: sameOutput(before, now) ? [] : ["would not get the value that was planned"],
    })),
  ]);
}

/** The same where a provider has kept something else beside an object than when it was planned. */
export function compareDigests(
  saved: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  return refused(
    Object.keys(saved).map((subject) => ({
      subject,
      reasons:
        saved[subject] === present[subject]
          ? []
          : ["what stands around it on its console was changed since the plan was made"],
    })),
  );
}

/** Data is in the plan as it was read. */
function isTold({ mode, action }: ResourceChange): boolean {
  return mode === "managed" || action === "read";
}

function compareChanges(
  saved: ResourceChange | undefined,
  present: ResourceChange | undefined,
): readonly string[] {
  if (!saved || !present) {
    const action = (saved ?? present)?.action ?? "no-op";
    if (action === "no-op") return [];
    return [saved ? "is not there any more" : `is ${WORDS[action]}, which was not planned`];
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
    (path) => `${named(path)} would not become what was planned`,
  );
  if (after.length > 0) return after;
  const same =
    saved.reason === present.reason &&
    saved.previousAddress === present.previousAddress &&
    saved.importing?.id === present.importing?.id &&
    JSON.stringify(saved.replacePaths) === JSON.stringify(present.replacePaths);
  return same ? [] : ["is changed for another reason than the one that was shown"];
}

function sameOutput(saved: OutputChange | undefined, present: OutputChange | undefined): boolean {
  return (
    saved?.action === present?.action &&
    saved?.sensitive === present?.sensitive &&
    valuesEqual(saved?.before ?? null, present?.before ?? null) &&
    valuesEqual(saved?.after ?? null, present?.after ?? null)
  );
}

/** The outermost places that differ, and are no lists or objects of the same shape. */
function differingPaths(a: Value, b: Value, path: AttributePath = []): readonly AttributePath[] {
  if (valuesEqual(a, b)) return [];
  if (isListValue(a) && isListValue(b) && a.length === b.length) {
    return a.flatMap((item, index) => differingPaths(item, b[index] ?? null, [...path, index]));
  }
  if (isObjectValue(a) && isObjectValue(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) =>
      differingPaths(memberOf(a, key) ?? null, memberOf(b, key) ?? null, [...path, key]),
    );
  }
  return [path];
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

function keyOf({ address, deposed = "" }: ResourceChange): string {
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

/** As many as a look takes in. */
const SHOWN = 10;

function refused(differences: readonly Difference[]): readonly Diagnostic[] {
  const found = differences.filter(({ reasons }) => reasons.length > 0);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, SHOWN)
    .flatMap(({ subject, reasons }) => [
      `  - ${subject}`,
      ...reasons.slice(0, SHOWN).map((reason) => `      ${reason}`),
      ...(reasons.length > SHOWN ? [`      and ${reasons.length - SHOWN} more`] : []),
    ]);
  if (found.length > SHOWN) lines.push(`  - and ${found.length - SHOWN} more`);
  return [
    error(
      "Saved plan can no longer be applied",
      `What would be done now is not what the plan showed:\n${lines.join("\n")}\n\nNothing was changed. Plan again, and review that plan.`,
    ),
  ];
}
