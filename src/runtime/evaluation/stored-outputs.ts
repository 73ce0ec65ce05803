import { mapMembers } from "../../core/member-of";
import { hasErrors } from "../../core/diagnostics";
import { decodeType } from "../../core/type-json";
import { mark, remark, unmark } from "../../core/marks";
import { withType } from "../../core/typed-values";
import { UNKNOWN, type Evaluated, type EvaluatedObject } from "../../core/values";
import { formatSubject, type EvaluationScope, type StackConfig } from "../../language";
import { ANY, type Type } from "../../core/types";
import { formatResourceAddress } from "../../core/documents/address";
import { toExactValue } from "../../core/documents/state-value";
import type { InstanceState, OutputState, State } from "../../core/documents/state";
import { toEvaluated } from "./attributes";
import { crossing } from "./crossing-outputs";
import { lazyLocals } from "./lazy-locals";
import { selectResource, type Providers } from "./providers";
import { combine } from "./repetition";
import { StackValues } from "./stack-values";
import { decodeInstance } from "./stored-objects";

const SECRET = mark(UNKNOWN, { sensitive: true });

/**
 * Returns the outputs in the state of a stack as another one reads them: hidden where the value is
 * sensitive by the configuration. The state is not exact, because cdktf declares all values that stacks
 * exchange as sensitive.
 *
 * @param owner The stack of the state. If it is not known, sensitive outputs are wholly hidden.
 */
export function storedOutputs(
  state: State,
  owner: StackConfig | undefined,
  providers: Providers,
): EvaluatedObject {
  const scope = owner && storedScope(owner, state, providers);
  return mapMembers(state.outputs, (output, name) => {
    const value = storedValue(output);
    if (!output.sensitive) return value;
    const declared = owner?.outputs.get(name);
    const evaluated = scope && declared ? declared.value.evaluate(scope).value : SECRET;
    return crossing(remark(value, unmark(evaluated).marks), declared);
  });
}

/** Returns the value of an output in a state, with its type. */
export function storedValue(output: OutputState): Evaluated {
  return withType(toExactValue(output.value), storedType(output));
}

/** Reads the type of an output in a state; one that cannot be read is open. */
export function storedType({ type }: OutputState): Type {
  return decodeType(type) ?? ANY;
}

/** Returns the scope of a stack with the objects of its state. Its variables are unknown. */
function storedScope(owner: StackConfig, state: State, providers: Providers): EvaluationScope {
  const variables = [...owner.variables].map(([name, { sensitive }]): [string, Evaluated] => [
    name,
    mark(UNKNOWN, { sensitive }),
  ]);
  const values = new StackValues(owner, new Map(variables), providers);
  const stored = new Map(
    state.resources.map((resource) => [formatResourceAddress(resource), resource.instances]),
  );
  const scope: EvaluationScope = {
    path: values.path,
    workspace: values.workspace,
    variable: (name) => values.variable(name),
    functions: (provider) => values.functions(provider),
    resource(mode, type, name) {
      const address = formatSubject({ kind: "resource", mode, type, name });
      const instances = stored.get(address) ?? [];
      return storedResource(owner, address, instances, providers);
    },
    local: lazyLocals(owner, () => scope),
  };
  return scope;
}

/** Decodes a resource of a state. Objects that cannot be decoded are secret. */
export function storedResource(
  owner: StackConfig,
  address: string,
  instances: readonly InstanceState[],
  providers: Providers,
): Evaluated {
  const config = owner.resources.get(address) ?? owner.dataSources.get(address);
  const selected = config && selectResource(owner, config, providers);
  if (!selected || "problem" in selected) return SECRET;
  const { provider, attributes } = selected;
  const values = instances
    .filter(({ deposed }) => deposed === undefined)
    .map((instance) => {
      const { object, diagnostics } = decodeInstance(provider.provider, config.type, instance);
      const value =
        object && !hasErrors(diagnostics)
          ? toEvaluated(attributes, object.value, object.sensitive)
          : SECRET;
      return [instance.indexKey, value] as const;
    });
  return combine(config, values);
}
