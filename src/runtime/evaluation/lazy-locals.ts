import type { Diagnostic } from "../../core/diagnostics";
import { UNKNOWN, type Evaluated } from "../../core/values";
import type { EvaluationScope, StackConfig } from "../../language";

/**
 * Returns a lookup that evaluates local values at the first reference to them, for what is evaluated
 * before the stack is walked. One that refers to itself is unknown.
 *
 * @param report Called with the diagnostics of each local value.
 */
export function lazyLocals(
  { locals }: StackConfig,
  scope: () => EvaluationScope,
  report: (diagnostics: readonly Diagnostic[]) => void = () => undefined,
): EvaluationScope["local"] {
  const values = new Map<string, Evaluated>();
  return (name) => {
    const local = locals.get(name);
    if (!local) return undefined;
    const known = values.get(name);
    if (known !== undefined) return known;
    values.set(name, UNKNOWN);
    const { value, diagnostics } = local.evaluate(scope());
    report(diagnostics);
    values.set(name, value);
    return value;
  };
}
