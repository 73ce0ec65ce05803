import type { Diagnostic } from "../../core/diagnostics";
import { convert, errorAt, type LocalExec, type EvaluationScope } from "../../language";
import type { Evaluated } from "../../core/values";
import { BOOL, STRING, type Type } from "../../core/types";

type Argument = "command" | "interpreter" | "workingDir" | "environment" | "quiet";

const TYPES: Readonly<Record<Argument, Type>> = {
  command: STRING,
  interpreter: { kind: "list", element: STRING },
  workingDir: STRING,
  environment: { kind: "map", element: STRING },
  quiet: BOOL,
};

/** Evaluates the arguments of a `local-exec` provisioner, and converts them to their types. */
export function evaluateLocalExec(
  provisioner: LocalExec,
  scope: EvaluationScope,
): { values: Readonly<Record<Argument, Evaluated>>; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const evaluate = (name: Argument): Evaluated => {
    const expression = provisioner[name];
    if (!expression) return null;
    const evaluated = expression.evaluate(scope);
    const { value, problems } = convert(evaluated.value, TYPES[name]);
    diagnostics.push(
      ...evaluated.diagnostics,
      ...problems.map(({ message }) =>
        errorAt(expression.where, "Incorrect attribute value type", `${message}.`),
      ),
    );
    return value;
  };
  const values: Readonly<Record<Argument, Evaluated>> = {
    command: evaluate("command"),
    interpreter: evaluate("interpreter"),
    workingDir: evaluate("workingDir"),
    environment: evaluate("environment"),
    quiet: evaluate("quiet"),
  };
  return { values, diagnostics };
}
