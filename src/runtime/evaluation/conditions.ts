import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import type { Condition } from "../config/stack-config";
import { convert } from "../expressions/convert";
import { marksWithin, unmark } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { BOOL, STRING } from "../expressions/types";
import { errorAt, type Location } from "../config/located";

/** The result of a block's conditions. One that depends on unknown values is `unknown`. */
export interface ConditionResult {
  readonly status: "pass" | "fail" | "unknown";
  /** An error for each condition that failed, and all that evaluation found. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Evaluates `precondition`, `postcondition` and `validation` blocks.
 *
 * @param summary Of the errors: `Resource precondition failed`.
 */
export function evaluateConditions(
  conditions: readonly Condition[],
  scope: Scope,
  where: Location,
  summary: string,
): ConditionResult {
  const results = conditions.map((condition) => evaluateOne(condition, scope, where, summary));
  const diagnostics = results.flatMap((result) => result.diagnostics);
  if (hasErrors(diagnostics)) return { status: "fail", diagnostics };
  return { status: results.every(({ isKnown }) => isKnown) ? "pass" : "unknown", diagnostics };
}

/** Evaluates conditions where an unknown one passes. */
export function checkConditions(
  ...conditions: Parameters<typeof evaluateConditions>
): readonly Diagnostic[] {
  return evaluateConditions(...conditions).diagnostics;
}

/** Checks the expressions of conditions where their values are not known yet. */
export function validateConditions(
  conditions: readonly Condition[],
  scope: Scope,
): readonly Diagnostic[] {
  return conditions.flatMap(({ condition, errorMessage }) => [
    ...condition.evaluate(scope).diagnostics,
    ...errorMessage.evaluate(scope).diagnostics,
  ]);
}

function evaluateOne(
  { condition, errorMessage }: Condition,
  scope: Scope,
  where: Location,
  summary: string,
): { readonly isKnown: boolean; readonly diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = condition.evaluate(scope);
  if (hasErrors(diagnostics)) return { isKnown: true, diagnostics };
  const converted = convert(value, BOOL);
  const result = unmark(converted.value).value;
  const found = (...problems: readonly Diagnostic[]) => ({
    isKnown: result !== UNKNOWN,
    diagnostics: [...diagnostics, ...problems],
  });
  if (converted.problems.length > 0 || result === null) {
    const given = result === null ? "null" : "a value of another type";
    return found(
      errorAt(
        where,
        "Invalid condition result",
        `Condition expression must return either true or false, not ${given}.`,
      ),
    );
  }
  if (result !== false) return found();
  const message = errorMessage.evaluate(scope);
  return found(...message.diagnostics, errorAt(where, summary, messageText(message.value)));
}

function messageText(value: Parameters<typeof marksWithin>[0]): string {
  const marks = marksWithin(value);
  if (marks.sensitive) {
    return "The error message included a sensitive value, so it will not be displayed.";
  }
  if (marks.ephemeral) {
    return "The error message included an ephemeral value, so it will not be displayed.";
  }
  const text = unmark(convert(value, STRING).value).value;
  return typeof text === "string" ? text : "The error message is not known.";
}
