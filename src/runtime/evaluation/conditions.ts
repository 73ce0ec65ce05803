import { printed } from "../../core/printed";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { marksWithin, unmark } from "../../core/marks";
import { UNKNOWN } from "../../core/values";
import {
  type Condition,
  convert,
  errorAt,
  type Expression,
  locate,
  type Location,
  type EvaluationScope,
} from "../../language";
import { BOOL, STRING } from "../../core/types";

/** `error`: the condition or its message is invalid. `unknown`: it depends on unknown values. */
export type CheckStatus = "pass" | "fail" | "error" | "unknown";

/** The result of one condition. */
export interface ConditionResult {
  readonly status: CheckStatus;
  /** The message of a failed condition; absent if it cannot be displayed. */
  readonly message?: string;
  /** All that evaluation found. A failed condition itself is none. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Evaluates the condition of a `precondition`, `postcondition` or `assert` block. */
export function evaluateCondition(
  condition: Condition,
  scope: EvaluationScope,
  where: Location,
): ConditionResult {
  const { text, hidden, diagnostics } = evaluateMessage(condition.errorMessage, scope, where);
  const found = hidden ? [...diagnostics, ...locate([HIDDEN[hidden]], where)] : diagnostics;
  return evaluate(condition, scope, where, { ...CHECK, text, diagnostics: found });
}

/** Evaluates the condition of a `validation` block, where Terraform has other wordings. */
export function evaluateValidation(
  condition: Condition,
  scope: EvaluationScope,
  where: Location,
): ConditionResult {
  const { text, hidden, isUnknown, diagnostics } = evaluateMessage(
    condition.errorMessage,
    scope,
    where,
  );
  const article = hidden === "ephemeral" ? "an" : "a";
  const shown = hidden
    ? `The error message included ${article} ${hidden} value, so it will not be displayed.`
    : text || "Failed to evaluate condition error message.";
  const result = evaluate(condition, scope, where, { ...VALIDATION, text: shown, diagnostics });
  if (result.status !== "fail" || !isUnknown) return result;
  const detail =
    "Unsuitable value for error message: expression refers to values that won't be known until the apply phase.";
  const problem = errorAt(where, "Invalid error message", detail);
  return { status: "error", diagnostics: [...result.diagnostics, problem] };
}

const CHECK = { summary: "Invalid condition result", result: "Condition" };
const VALIDATION = {
  summary: "Invalid variable validation result",
  result: "Validation condition",
};

interface Message {
  /** Empty if the message cannot be displayed. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

function evaluate(
  { condition }: Condition,
  scope: EvaluationScope,
  where: Location,
  message: Message & typeof CHECK,
): ConditionResult {
  const evaluated = condition.evaluate(scope);
  const diagnostics = [...message.diagnostics, ...evaluated.diagnostics];
  if (hasErrors(diagnostics)) return { status: "error", diagnostics };
  const converted = convert(evaluated.value, BOOL);
  const result = unmark(converted.value).value;
  if (result === UNKNOWN && converted.problems.length === 0) {
    return { status: "unknown", diagnostics };
  }
  if (converted.problems.length > 0 || result === null) {
    const detail =
      result === null
        ? `${message.result} expression must return either true or false, not null.`
        : `Invalid ${message.result.toLowerCase()} result value: a bool is required.`;
    const problem = errorAt(where, message.summary, detail);
    return { status: "error", diagnostics: [...diagnostics, problem] };
  }
  if (result !== false) return { status: "pass", diagnostics };
  return { status: "fail", ...(message.text !== "" && { message: message.text }), diagnostics };
}

/** Terraform's summary for a failed precondition of an output. */
export const OUTPUT_PRECONDITION_FAILED = "Module output value precondition failed";

/** Terraform's text for a failed condition whose message cannot be displayed. */
export const INVALID_MESSAGE =
  "This check failed, but has an invalid error message as described in the other accompanying messages.";

/** Checks the expressions of conditions where their values are not known yet. */
export function validateConditions(
  conditions: readonly Condition[],
  scope: EvaluationScope,
): readonly Diagnostic[] {
  return conditions.flatMap(({ condition, errorMessage }) => [
    ...condition.evaluate(scope).diagnostics,
    ...validateMessage(errorMessage, scope),
  ]);
}

/**
 * Checks the conditions of a `check` block where their values are not known yet. Only the plan
 * evaluates them, as in Terraform.
 */
export function validateAssertions(
  assertions: readonly Condition[],
  scope: EvaluationScope,
): readonly Diagnostic[] {
  return assertions.flatMap(({ condition, errorMessage }) => [
    ...condition.checkReferences(scope),
    ...validateMessage(errorMessage, scope),
  ]);
}

function validateMessage(message: Expression, scope: EvaluationScope): readonly Diagnostic[] {
  const { value, diagnostics } = message.evaluate(scope);
  if (hasErrors(diagnostics) || convert(value, STRING).problems.length === 0) return diagnostics;
  const detail = "Unsuitable value for error message: string required.";
  return [...diagnostics, errorAt(message.where, "Invalid error message", detail)];
}

/** Evaluates an error message. The text is empty if it is unknown, invalid or secret. */
function evaluateMessage(
  expression: Expression,
  scope: EvaluationScope,
  where: Location,
): Message & { readonly hidden?: keyof typeof HIDDEN; readonly isUnknown?: boolean } {
  const { value, diagnostics } = expression.evaluate(scope);
  if (hasErrors(diagnostics)) return { text: "", diagnostics };
  const converted = convert(value, STRING);
  const plain = unmark(converted.value).value;
  if (converted.problems.length > 0 || plain === null) {
    const reason = plain === null ? "must not be null" : "string required";
    const detail = `Unsuitable value for error message: ${reason}.`;
    const problem = errorAt(where, "Invalid error message", detail);
    return { text: "", diagnostics: [...diagnostics, problem] };
  }
  const marks = marksWithin(value);
  if (marks.sensitive) return { text: "", hidden: "sensitive", diagnostics };
  if (marks.ephemeral) return { text: "", hidden: "ephemeral", diagnostics };
  if (typeof plain !== "string") return { text: "", isUnknown: true, diagnostics };
  if (marks.hidden) return { text: FROM_ANOTHER_STACK, diagnostics };
  return { text: plain.trim(), diagnostics };
}

const FROM_ANOTHER_STACK =
  "The error message contains a value that is sensitive in another stack, so it is not displayed.";

const HIDDEN = {
  sensitive: warning(
    "Error message refers to sensitive values",
    printed`The error expression used to explain this condition refers to sensitive values, so Terraform will not display the resulting message.\n\nYou can correct this by removing references to sensitive values, or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data.`,
  ),
  ephemeral: warning(
    "Error message refers to ephemeral values",
    printed`The error expression used to explain this condition refers to ephemeral values, so Terraform will not display the resulting message.\n\nYou can correct this by removing references to ephemeral values.`,
  ),
};
