import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import type { Condition } from "../config/stack-config";
import { convert } from "../expressions/convert";
import { marksWithin, unmark } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { BOOL, STRING } from "../expressions/types";
import { errorAt, type Location } from "./located";

/**
 * Evaluates pre- and postconditions. One that is not known yet passes. `what` is what failed:
 * `Resource precondition`.
 */
export function checkConditions(
  conditions: readonly Condition[],
  scope: Scope,
  where: Location,
  what: string,
): readonly Diagnostic[] {
  return conditions.flatMap(({ condition, errorMessage }) => {
    const { value, diagnostics } = condition.evaluate(scope);
    if (hasErrors(diagnostics)) return diagnostics;
    const result = unmark(convert(value, BOOL).value).value;
    if (result === UNKNOWN || result === true) return diagnostics;
    if (result === null) {
      return [
        errorAt(
          where,
          "Invalid condition result",
          "Condition expression must return true or false, not null.",
        ),
      ];
    }
    return [...diagnostics, errorAt(where, `${what} failed`, messageOf(errorMessage, scope))];
  });
}

function messageOf(expression: Condition["errorMessage"], scope: Scope): string {
  const { value } = expression.evaluate(scope);
  const marks = marksWithin(value);
  if (marks.sensitive || marks.ephemeral) {
    return "The error message included a sensitive value, so it is not shown.";
  }
  const text = unmark(convert(value, STRING).value).value;
  return typeof text === "string" ? text : "The error message is not known.";
}
