import { memberOf } from "../../core/member-of";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { AssignedVariable, StackConfig, VariableConfig, VariableInputs } from "../../language";

/** The sources of values that no assignment sets, with the secrets that were found. */
export interface InputsWithSecrets extends VariableInputs {
  readonly found?: ReadonlyMap<string, string>;
}

/**
 * Asks once for the secrets of all stacks. After an error none of them is reported as missing.
 *
 * @param assignments The values of files and of the command line, by stack.
 */
export async function findSecrets(
  stacks: readonly StackConfig[],
  inputs: VariableInputs,
  assignments: ReadonlyMap<string, readonly AssignedVariable[]>,
): Promise<InputsWithSecrets & { readonly diagnostics: readonly Diagnostic[] }> {
  const { secrets, environment } = inputs;
  if (!secrets) return { ...inputs, diagnostics: [] };
  const ephemeral = stacks.flatMap(({ variables }) =>
    [...variables.values()].filter((variable) => variable.ephemeral),
  );
  const wanted = stacks.flatMap(({ name, variables }) => {
    const assigned = new Set(assignments.get(name)?.map((one) => one.name));
    return [...variables.values()].filter(
      (variable) =>
        isSensitiveAndEphemeral(variable) &&
        !assigned.has(variable.name) &&
        !fromEnvironment(variable, environment),
    );
  });
  if (wanted.length === 0) return { ...inputs, diagnostics: [] };
  const { values, diagnostics } = await secrets({
    names: namesOf(wanted),
    ephemeral: namesOf(ephemeral),
  });
  if (hasErrors(diagnostics)) return { ...inputs, unset: "unknown", diagnostics };
  return { ...inputs, found: values, diagnostics };
}

function namesOf(variables: readonly VariableConfig[]): readonly string[] {
  return [...new Set(variables.map(({ name }) => name))].sort(compareStrings);
}

/** Returns the value of a variable in the environment. */
export function fromEnvironment(
  variable: VariableConfig,
  environment: VariableInputs["environment"],
): AssignedVariable | undefined {
  const { name } = variable;
  const candidates = hasPlainName(variable) ? [`TF_VAR_${name}`, name] : [`TF_VAR_${name}`];
  for (const source of candidates) {
    const text = memberOf(environment, source);
    if (text !== undefined) return { name, source, content: { kind: "text", text } };
  }
  return undefined;
}

/** Returns a secret that was found. */
export function fromSecrets(
  variable: VariableConfig,
  found: InputsWithSecrets["found"],
): AssignedVariable | undefined {
  const text = isSensitiveAndEphemeral(variable) ? found?.get(variable.name) : undefined;
  const source = "the secrets command";
  return text === undefined
    ? undefined
    : { name: variable.name, source, content: { kind: "text", text } };
}

/**
 * Reports whether the environment variable `NAME` sets the variable too: a secret, as
 * `Secret.fromEnv` expects, or one that needs a value. A default is not replaced by accident.
 */
function hasPlainName(variable: VariableConfig): boolean {
  return isSensitiveAndEphemeral(variable) || variable.default === undefined;
}

/** Reports whether a variable is a secret, as `Secret.fromEnv` makes them. */
export function isSensitiveAndEphemeral({
  sensitive,
  ephemeral,
}: Pick<VariableConfig, "sensitive" | "ephemeral">): boolean {
  return sensitive && ephemeral;
}
