import type { Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import { convert } from "../expressions/convert";
import type { Evaluated } from "../expressions/evaluated";
import { unmarkRoot } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { EMPTY_SCOPE } from "../expressions/scope";
import { BOOL, STRING } from "../expressions/types";
import { errorIn } from "./shape";
import type { Condition, VariableConfig } from "./stack-config";

/**
 * Checks a variable against its `validation` blocks. A condition may refer to other variables; one
 * that depends on anything else is not known yet, and passes.
 */
export function validate(
  variable: VariableConfig,
  values: ReadonlyMap<string, Evaluated>,
): readonly Diagnostic[] {
  const scope: Scope = {
    ...EMPTY_SCOPE,
    variable: (name) => values.get(name),
    local: () => UNKNOWN,
    resource: () => UNKNOWN,
    declared: (kind) =>
      kind === "variable" ? [...values.keys()].map((name) => `var.${name}`) : [],
  };
  return variable.validations.flatMap((condition) => check(condition, variable, scope));
}

function check(
  { condition, errorMessage }: Condition,
  { name, where }: VariableConfig,
  scope: Scope,
): readonly Diagnostic[] {
  const evaluated = condition.evaluate(scope);
  const converted = convert(evaluated.value, BOOL);
  const { value: passed } = unmarkRoot(converted.value);
  if (evaluated.diagnostics.length > 0) return evaluated.diagnostics;
  if (converted.problems.length > 0 || passed === null) {
    return [
      errorIn(
        condition.where,
        "Invalid variable validation result",
        `The condition of a validation of var.${name} must be true or false.`,
      ),
    ];
  }
  if (passed !== false) return [];
  const message = errorMessage.evaluate(scope);
  const { value: text, marks } = unmarkRoot(convert(message.value, STRING).value);
  const shown = typeof text === "string" && !marks.sensitive && !marks.ephemeral;
  return [
    ...message.diagnostics,
    errorIn(
      where,
      "Invalid value for variable",
      shown ? text : "The error message contains a sensitive value, so it is not displayed.",
    ),
  ];
}
