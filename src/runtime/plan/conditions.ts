import { prose } from "../../core/printed";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import {
  type Condition,
  errorAt,
  locate,
  type Location,
  type ResourceConfig,
  type EvaluationScope,
} from "../../language";
import {
  evaluateCondition,
  INVALID_MESSAGE,
  OUTPUT_PRECONDITION_FAILED,
} from "../evaluation/conditions";
import { checkVariable } from "../evaluation/variables";
import { within, type Surroundings } from "../evaluation/stack-values";
import type { Evaluated } from "../../core/values";
import type { ConditionKind } from "./check-results";
import type { CheckNode, VariableNode } from "../graph/configuration";
import type { StackRun } from "./run";

/** An object with conditions. */
export interface CheckedObject {
  /** The address of the block in the configuration. */
  readonly block: string;
  readonly where: Location;
  readonly scope: EvaluationScope;
  /** The severity of a condition that failed. Default `error`. */
  readonly severity?: Diagnostic["severity"] | undefined;
}

/**
 * Evaluates conditions, records their results and reports those that fail. Unknown ones are
 * evaluated again when they are applied.
 *
 * @returns False if there are errors.
 */
export function meets(
  run: StackRun,
  { block, where, scope, severity = "error" }: CheckedObject,
  kind: ConditionKind,
  conditions: readonly Condition[],
): boolean {
  const results = conditions.map((condition) => evaluateCondition(condition, scope, where));
  run.checks.record(block, where.address, kind, results);
  // Two assertions may have one text. Each is reported, as in Terraform.
  const isNumbered = kind === "assert" && conditions.length > 1;
  const found = results.flatMap(({ status, message = INVALID_MESSAGE, diagnostics }, index) => {
    const at = isNumbered ? { path: [kind, index] } : {};
    const failed = errorAt(where, summaryOf(block, kind), prose(message));
    return [
      ...diagnostics,
      ...(status === "unknown" && kind === "assert"
        ? locate([{ ...KNOWN_LATER, ...at }], where)
        : []),
      ...(status === "fail" ? [{ ...failed, ...at, severity }] : []),
    ];
  });
  run.report(found);
  return !hasErrors(found);
}

const KNOWN_LATER = warning(
  "Check block assertion known after apply",
  "The condition could not be evaluated at this time, a result will be known when this plan is applied.",
);

function summaryOf(block: string, kind: ConditionKind): string {
  if (kind === "assert") return "Check block assertion failed";
  return block.startsWith("output.") ? OUTPUT_PRECONDITION_FAILED : `Resource ${kind} failed`;
}

/** Checks a variable. Unknown validations are checked again by the apply. */
export function isValid(run: StackRun, { config }: VariableNode): boolean {
  const { results, diagnostics } = checkVariable(config, run.values);
  const { address } = config.where;
  run.checks.record(address, address, "validation", results);
  run.report(diagnostics);
  return !hasErrors(diagnostics);
}

/**
 * Evaluates the assertions of a check, unless its data source could not be read. Those that fail are
 * warnings.
 */
export function checkAssertions(run: StackRun, { config }: CheckNode): boolean {
  const { where, assertions } = config;
  if (run.checks.fails(where.address, where.address)) return true;
  const object = { block: where.address, where, scope: run.values, severity: "warning" } as const;
  return meets(run, object, "assert", assertions);
}

/** Reports the read of a data source. In a check, its errors are warnings and fail the check. */
export function reportRead(
  run: StackRun,
  config: Pick<ResourceConfig, "check"> | undefined,
  found: readonly Diagnostic[],
): void {
  if (config?.check === undefined) {
    run.report(found);
    return;
  }
  const address = `check.${config.check}`;
  const errors = found.filter(({ severity }) => severity === "error");
  const message = errors.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
  const result =
    errors.length > 0 ? ({ status: "fail", message } as const) : { status: "pass" as const };
  run.checks.record(address, address, "data", [{ ...result, diagnostics: found }]);
  run.report(found.map((one) => ({ ...one, severity: "warning" })));
}

/** An instance whose block may have conditions. */
export interface CheckedInstance extends Pick<CheckedObject, "severity"> {
  readonly target: {
    readonly config?: ResourceConfig<"managed" | "data" | "ephemeral">;
    readonly where: Location;
  };
  readonly surroundings: Surroundings;
}

/** Checks the preconditions of an instance; see `meets`. */
export function meetsPreconditions(run: StackRun, instance: CheckedInstance): boolean {
  return meetsAll(run, instance, "precondition");
}

/** Checks the postconditions of an instance that is `self`; see `meets`. */
export function meetsPostconditions(
  run: StackRun,
  instance: CheckedInstance,
  self: Evaluated,
): boolean {
  return meetsAll(run, instance, "postcondition", self);
}

function meetsAll(
  run: StackRun,
  { target: { config, where }, surroundings, severity }: CheckedInstance,
  kind: "precondition" | "postcondition",
  self?: Evaluated,
): boolean {
  const conditions = config?.lifecycle[`${kind}s`] ?? [];
  if (!config || conditions.length === 0) return true;
  const scope = within(run.values, self === undefined ? surroundings : { ...surroundings, self });
  return meets(run, { block: config.address, where, scope, severity }, kind, conditions);
}
