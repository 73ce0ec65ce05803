import type { Diagnostic } from "../../core/diagnostics";

const DECLARE = "Declare it in the app, or correct the name.";

/** Next steps for errors that have Terraform's words, which name none. By summary. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  "Missing required argument": "Set it.",
  "Unsupported argument": "Remove it, or correct its name.",
  "Incorrect attribute value type": "Correct the value.",
  "Null value found in map": "Remove the entry, or give it a value.",
  "Null value found in list": "Remove the entry, or give it a value.",
  "Invalid count argument": "Correct the value.",
  "Invalid for_each argument": "Correct the value; toset([…]) makes a set of a list.",
  "Self-referential block": "Remove the reference.",
  "Invalid reference": "Correct the reference; a text needs quotes.",
  "Unsupported attribute": "Correct the name.",
  "Reference to undeclared local value": DECLARE,
  "Reference to undeclared input variable": DECLARE,
  "Reference to undeclared resource": DECLARE,
  "Invalid type specification":
    "Use string, number, bool, any, list(…), set(…), map(…) or object(…).",
  "Invalid default value for variable": "Correct the default, or the type of the variable.",
  "Invalid value for variable": "Correct the value where it is set.",
  "Removed resource still exists": "Remove the resource from the app, or the removed block.",
  "Unsupported Terraform Core version": "Correct required_version, or use --engine terraform.",
  "Provider configuration not present": "Declare that block in the app, or correct the provider.",
};

/** Summaries of HCL and its functions about an expression that cannot be read or evaluated. */
const OF_EXPRESSIONS =
  /^(?:Un(?:terminated|closed|balanced)|Attempt to|Extra characters|Missing (?:expression|.* expression|.* separator|newline)|Invalid (?:character|expression|function|index|multi|operand|template)|.* function arguments$|Error in function call)/;

/** Returns the next step of an error; "" if its detail names one. */
export function nextStep({ severity, summary, detail }: Diagnostic): string {
  const ofExpression = OF_EXPRESSIONS.test(summary) ? "Correct the expression." : undefined;
  const step = Object.hasOwn(NEXT_STEPS, summary) ? NEXT_STEPS[summary] : ofExpression;
  const hasStep = detail.trimEnd().endsWith("?") || /\bDid you mean\b/.test(detail);
  return severity === "error" && step !== undefined && !hasStep ? step : "";
}
