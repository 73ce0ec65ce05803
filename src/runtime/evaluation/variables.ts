import { memberOf } from "../../core/member-of";
import { printed, prose } from "../../core/printed";
import type { Diagnostic } from "../../core/diagnostics";
import { error, warning } from "../../core/diagnostics";
import { mark, markedTexts, unmark } from "../../core/marks";
import { useSecrets } from "../../core/io/secrets-in-use";
import { UNKNOWN, valuesEqual, type Evaluated } from "../../core/values";
import {
  type AssignedVariable,
  COMMAND_LINE,
  convert,
  decodeJson,
  EMPTY_SCOPE,
  errorAt,
  fromJson,
  hasCall,
  isNull,
  Expression,
  parseHcl,
  readAssignments,
  type EvaluationScope,
  type StackConfig,
  type VariableConfig,
  type VariableInputs,
  type ExpressionPosition,
} from "../../language";
import { didYouMean } from "../../core/suggest";
import { evaluateValidation, type ConditionResult } from "./conditions";
import {
  findSecrets,
  fromEnvironment,
  fromSecrets,
  isSensitiveAndEphemeral,
  type InputsWithSecrets,
} from "./secrets";

/** The values of a stack's variables by name. */
export type VariableValues = ReadonlyMap<string, Evaluated>;

/**
 * Finds the values of all variables of the stacks. From weakest to strongest: the default; the
 * environment (`TF_VAR_NAME`; else `NAME` for a secret of `Secret.fromEnv`, and for a variable
 * without a default); files that are found automatically, in the folder of the stack and in those of
 * `inputs`; `--var` and `--var-file` in their order. Secrets without a value are asked from `inputs.secrets`. All missing
 * and invalid values are reported together, and are `UNKNOWN`. Undeclared environment variables are
 * ignored, those of files are warnings, and those of `--var` are errors, as in Terraform.
 *
 * @returns By the name of the stack: the values, converted and marked; the given values before
 * conversion, without defaults; and the errors of stacks that lack a secret.
 */
export async function resolveVariables(
  stacks: readonly StackConfig[],
  inputs: VariableInputs,
): Promise<{
  values: ReadonlyMap<string, VariableValues>;
  given: ReadonlyMap<string, VariableValues>;
  faults: ReadonlyMap<string, readonly Diagnostic[]>;
  diagnostics: readonly Diagnostic[];
}> {
  const { assignments, diagnostics: found } = await readAssignments(inputs);
  const declared = [...new Set(stacks.flatMap(({ variables }) => [...variables.keys()]))];
  const diagnostics = [...found, ...undeclared(declared, assignments)];
  // Values of a saved plan ignore the present environment and files.
  const explicit = inputs.settled
    ? await readAssignments({ directories: [], given: inputs.given })
    : undefined;
  const assigned = new Map<string, readonly AssignedVariable[]>();
  for (const { name, directory, variables } of stacks) {
    const directories = inputs.directories.includes(directory) ? [] : [directory];
    const own = await readAssignments({ directories, given: [] });
    diagnostics.push(...own.diagnostics, ...undeclared([...variables.keys()], own.assignments));
    assigned.set(name, [...own.assignments, ...assignments]);
  }
  const secrets = await findSecrets(stacks, inputs, assigned);
  diagnostics.push(...secrets.diagnostics);
  const values = new Map<string, VariableValues>();
  const given = new Map<string, VariableValues>();
  const faults = new Map<string, readonly Diagnostic[]>();
  const isOfOne = ({ name }: VariableConfig) =>
    stacks.length > 1 && stacks.filter(({ variables }) => variables.has(name)).length === 1;
  for (const stack of stacks) {
    const lacking: Diagnostic[] = [];
    const ofStack = new Map<string, Evaluated>();
    const givenToStack = new Map<string, Evaluated>();
    for (const variable of stack.variables.values()) {
      const settled = settledValue(variable, inputs.settled?.get(stack.name));
      const found = settled
        ? await takeSettled(variable, settled, explicit?.assignments ?? [], diagnostics)
        : await resolveOne(variable, secrets, assigned.get(stack.name) ?? [], diagnostics);
      ofStack.set(variable.name, found.value);
      useSecrets(markedTexts(found.value));
      if (found.given !== undefined) givenToStack.set(variable.name, found.given);
      if (!found.missing) continue;
      // The run continues without a stack that lacks its own secret. One of several stacks stops it.
      const isOfStack = secrets.found !== undefined || isOfOne(variable);
      (isSensitiveAndEphemeral(variable) && isOfStack ? lacking : diagnostics).push(found.missing);
    }
    values.set(stack.name, ofStack);
    given.set(stack.name, givenToStack);
    if (lacking.length > 0) faults.set(stack.name, lacking);
  }
  return { values, given, faults, diagnostics };
}

/** Evaluates the validations of a variable with the values known so far. */
export function checkVariable(
  { name, validations, where }: VariableConfig,
  scope: EvaluationScope,
): { readonly results: readonly ConditionResult[]; readonly diagnostics: readonly Diagnostic[] } {
  const results = validations.map((condition) => evaluateValidation(condition, scope, where));
  const diagnostics = results.flatMap(({ status, message = "", diagnostics }, index) => {
    if (status !== "fail") return diagnostics;
    const rule = `This was checked by the validation rule at variable.${name}.validation[${index}].`;
    const failed = errorAt(
      where,
      "Invalid value for variable",
      printed`${prose(message)}\n\n${rule}`,
    );
    return [...diagnostics, failed];
  });
  return { results, diagnostics };
}

interface Resolved {
  readonly value: Evaluated;
  /** Before its conversion. */
  readonly given?: Evaluated;
  /** The error of a variable without a value. */
  readonly missing?: Diagnostic;
}

async function resolveOne(
  variable: VariableConfig,
  { environment, ignoresEnvironment = false, unset = "error", found }: InputsWithSecrets,
  assignments: readonly AssignedVariable[],
  diagnostics: Diagnostic[],
): Promise<Resolved> {
  const assigned =
    assignments.findLast(({ name }) => name === variable.name) ??
    (ignoresEnvironment ? undefined : fromEnvironment(variable, environment)) ??
    fromSecrets(variable, found);
  const marks = { sensitive: variable.sensitive, ephemeral: variable.ephemeral };
  if (assigned) {
    const evaluated = await evaluateAssigned(assigned, variable, diagnostics);
    const value = fit(evaluated, variable, `given by ${assigned.source}`, diagnostics);
    if (!isNull(value) || variable.nullable) {
      return { value: mark(value, marks), given: evaluated };
    }
  }
  if (variable.default !== undefined) return { value: mark(variable.default, marks) };
  const value = mark(UNKNOWN, marks);
  if (assigned) {
    diagnostics.push(notNullable(variable));
    return { value };
  }
  if (found && isSensitiveAndEphemeral(variable)) return { value, missing: notFound(variable) };
  return unset === "error" ? { value, missing: notSet(variable) } : { value };
}

function settledValue(
  { name, ephemeral }: VariableConfig,
  settled: Readonly<Record<string, unknown>> = {},
): AssignedVariable | undefined {
  if (ephemeral || !Object.hasOwn(settled, name)) return undefined;
  return {
    name,
    source: "the saved plan",
    content: { kind: "json", json: memberOf(settled, name) },
  };
}

async function takeSettled(
  variable: VariableConfig,
  settled: AssignedVariable,
  explicit: readonly AssignedVariable[],
  diagnostics: Diagnostic[],
): Promise<Resolved> {
  const evaluate = async (assigned: AssignedVariable) => {
    const evaluated = await evaluateAssigned(assigned, variable, diagnostics);
    return fit(evaluated, variable, `given by ${assigned.source}`, diagnostics);
  };
  const value = await evaluate(settled);
  const other = explicit.findLast(({ name }) => name === variable.name);
  if (other && !valuesEqual(unmark(await evaluate(other)).value, unmark(value).value)) {
    const { name, where } = variable;
    const detail = `The variable ${name} cannot be set using the --var and --var-file options when applying a saved plan file, because a saved plan includes the variable values that were set when it was created, and this is another value. To declare an ephemeral variable, which is not saved in the plan file, use ephemeral = true.`;
    diagnostics.push(errorAt(where, "Can't change variable when applying a saved plan", detail));
  }
  const { sensitive, ephemeral } = variable;
  return { value: mark(value, { sensitive, ephemeral }), given: value };
}

async function evaluateAssigned(
  { content, source }: AssignedVariable,
  { type: { kind }, isTyped, where }: VariableConfig,
  diagnostics: Diagnostic[],
): Promise<Evaluated> {
  if (content.kind === "text") {
    if (!isTyped || kind === "string" || kind === "number" || kind === "bool") {
      return content.text.normalize("NFC");
    }
    return evaluateText(content.text, source, where, diagnostics);
  }
  if (content.kind === "json") return fromJson(content.json);
  const evaluated = new Expression(content.node, where).evaluate(EMPTY_SCOPE);
  diagnostics.push(...evaluated.diagnostics);
  if (!hasCall(content.node)) return evaluated.value;
  const detail = `Functions may not be called in ${source}.`;
  diagnostics.push(errorAt(where, "Function calls not allowed", detail));
  return UNKNOWN;
}

/** Parses a value of another type than a primitive one: JSON, else HCL. Errors do not show it: it may be a secret. */
async function evaluateText(
  text: string,
  source: string,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): Promise<Evaluated> {
  const json = text.includes("${") || text.includes("%{") ? undefined : parseJson(text);
  if (json !== undefined) return fromJson(json);
  const { expression, diagnostics: problems } = await parseHcl(text, where);
  const evaluated = expression.evaluate(EMPTY_SCOPE);
  if (problems.length > 0 || evaluated.diagnostics.length > 0 || hasCall(expression.node)) {
    const detail = `The value given by ${source} is neither JSON nor an HCL expression without references and function calls.`;
    diagnostics.push(errorAt(where, "Invalid value for input variable", detail));
    return UNKNOWN;
  }
  return evaluated.value;
}

function parseJson(text: string): unknown {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}

function fit(
  value: Evaluated,
  { name, type, where }: VariableConfig,
  origin: string,
  diagnostics: Diagnostic[],
): Evaluated {
  const converted = convert(value, type);
  for (const { path, message } of converted.problems) {
    diagnostics.push(
      errorAt(
        where,
        "Invalid value for input variable",
        `The value ${origin} is not suitable for var.${name}: ${message}.`,
        path,
      ),
    );
  }
  return converted.problems.length === 0 ? converted.value : UNKNOWN;
}

function notSet({ name, where, sensitive, ephemeral }: VariableConfig): Diagnostic {
  // Other users of the machine can read command lines, which must not contain secrets.
  const option = sensitive && ephemeral ? "a --var-file" : `--var '${name}=…' or a --var-file`;
  const ways = `TF_VAR_${name} or ${name} in the environment, or give ${option}`;
  return errorAt(
    where,
    "No value for required variable",
    `The variable "${name}" is not set and has no default. Set ${ways}.`,
  );
}

function notFound({ name, where }: VariableConfig): Diagnostic {
  return errorAt(
    where,
    "Secret was not found",
    `The variable "${name}" is not set, and the secrets command gave no value for it.`,
  );
}

function notNullable({ name, where }: VariableConfig): Diagnostic {
  return errorAt(
    where,
    "Required variable not set",
    `The variable "${name}" must not be null, and has no default.`,
  );
}

function undeclared(
  declared: readonly string[],
  assignments: readonly AssignedVariable[],
): readonly Diagnostic[] {
  return assignments
    .filter(({ name }) => !declared.includes(name))
    .map(({ name, source }) => ({
      ...(source === COMMAND_LINE ? error : warning)(
        "Value for undeclared variable",
        `No selected stack declares a variable named "${name}", but ${source} gives it a value.${didYouMean(name, declared)} Correct the name, or remove the value.`,
      ),
      address: `var.${name}`,
    }));
}
