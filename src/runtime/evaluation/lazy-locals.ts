import { UNKNOWN, type Evaluated } from "../../core/values";
import type { Scope, StackConfig } from "../../language";

/**
 * Returns a lookup that evaluates local values at the first reference to them, for what is evaluated
 * before the stack is walked. One that refers to itself is unknown.
 */
export function lazyLocals({ locals }: StackConfig, scope: () => Scope): Scope["local"] {
  const values = new Map<string, Evaluated>();
  return (name) => {
    const local = locals.get(name);
    if (!local) return undefined;
    const known = values.get(name);
    if (known !== undefined) return known;
    values.set(name, UNKNOWN);
    const { value } = local.evaluate(scope());
    values.set(name, value);
    return value;
  };
}
