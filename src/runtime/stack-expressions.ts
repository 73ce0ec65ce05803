import type { Diagnostic } from "../core/diagnostics";
import { formatResourceAddress } from "../core/documents/address";
import type { State } from "../core/documents/state";
import { UNKNOWN, type Evaluated } from "../core/values";
import { parseHcl, type EvaluationScope } from "../language";
import { lazyLocals } from "./evaluation/lazy-locals";
import { StackValues, within } from "./evaluation/stack-values";
import { storedResource } from "./evaluation/stored-outputs";
import type { StackContext } from "./graph/stack-context";
import { resourceProblem } from "./validation/check-references";
import { closeProviders, loadStacks, type LoadOptions } from "./validation/load";
import { declared } from "./validation/validate-stacks";

/** Evaluates expressions with the variables of a stack and the objects in its state. */
export class StackExpressions {
  private readonly values: StackValues;

  private constructor(
    private readonly context: StackContext,
    state: State,
  ) {
    const { config, variables, providers } = context;
    const blocks = declared(context);
    this.values = new StackValues(config, variables, providers);
    this.values.startApply();
    this.values.problemOf = (reference) => resourceProblem(reference, blocks);
    for (const resource of state.resources) {
      const address = formatResourceAddress(resource);
      if (!config.resources.has(address) && !config.dataSources.has(address)) continue;
      this.values.set(address, storedResource(config, address, resource.instances, providers));
    }
  }

  /** Reads and validates a stack. Connects to no console. */
  static async open(
    stack: string,
    state: State,
    options: Omit<LoadOptions, "stacks" | "stateless">,
  ): Promise<{ expressions?: StackExpressions; diagnostics: readonly Diagnostic[] }> {
    const { loaded, diagnostics } = await loadStacks({
      ...options,
      stacks: [stack],
      stateless: true,
    });
    const context = loaded?.contexts.get(stack);
    if (!loaded || !context) return { diagnostics };
    await closeProviders(loaded);
    return { expressions: new StackExpressions(context, state), diagnostics };
  }

  /** Evaluates one expression in HCL's syntax. With an error, the value is unknown. */
  async evaluate(
    source: string,
  ): Promise<{ value: Evaluated; diagnostics: readonly Diagnostic[] }> {
    const { expression, diagnostics: problems } = await parseHcl(source, { address: "", path: [] });
    if (problems.length > 0) return { value: UNKNOWN, diagnostics: problems.map(withoutPlace) };
    const found: Diagnostic[] = [];
    const scope: EvaluationScope = {
      ...within(this.values, {}),
      local: lazyLocals(
        this.context.config,
        () => scope,
        (diagnostics) => found.push(...diagnostics),
      ),
    };
    const { value, diagnostics } = expression.evaluate(scope);
    return { value, diagnostics: [...diagnostics.map(withoutPlace), ...found] };
  }
}

/** An expression that was entered is in no block. */
function withoutPlace({ severity, summary, detail }: Diagnostic): Diagnostic {
  return { severity, summary, detail };
}
