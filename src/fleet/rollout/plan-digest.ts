import { createHash } from "node:crypto";
import type { StackPlan } from "../../core/documents/stack-plan";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  type AttributePath,
  type Value,
} from "../../core/values";

/**
 * Returns the digest of what a plan changes, in hex: two plans with one digest change the same objects
 * in the same way. Sensitive values do not count, so that nobody can guess them by the digest.
 */
export function digestOfPlan({ mode, changes, drift, outputs }: StackPlan): string {
  const text = JSON.stringify([
    mode,
    [...changes, ...(mode === "refresh-only" ? drift : [])]
      .filter(({ mode: kind }) => kind === "managed")
      .map(({ address, previousAddress, importing, deposed, action, ...change }) => [
        [address, previousAddress, importing?.id, deposed, action],
        shown(change.before, change.beforeSensitive),
        shown(change.after, change.afterSensitive),
      ]),
    outputs.map(({ name, action, sensitive, after }) => [
      [name, action, sensitive],
      sensitive ? SENSITIVE : shown(after, []),
    ]),
  ]);
  return createHash("sha256").update(text).digest("hex");
}

const SENSITIVE = { sensitive: true };

/** @param hidden - paths of sensitive values */
function shown(value: Value, hidden: readonly AttributePath[]): unknown {
  if (hidden.some((path) => path.length === 0)) return SENSITIVE;
  if (isUnknownValue(value)) return { unknown: true };
  const within = (step: string | number) =>
    hidden.filter(([first]) => first === step).map((path) => path.slice(1));
  if (isListValue(value)) return value.map((element, at) => shown(element, within(at)));
  if (!isObjectValue(value)) return value;
  return Object.entries(value).map(([name, member]) => [name, shown(member, within(name))]);
}
