import type { KnownValue } from "../values";
import type { FunctionDefinition, FunctionResult } from "../definitions/function-definition";

/** The functions of a provider, as both engines call them. */
export class Functions {
  readonly #definitions: ReadonlyMap<string, FunctionDefinition>;

  constructor(readonly definitions: readonly FunctionDefinition[]) {
    this.#definitions = new Map(definitions.map((definition) => [definition.name, definition]));
  }

  get(name: string): FunctionDefinition | undefined {
    return this.#definitions.get(name);
  }

  /** Never throws: what an argument is to blame for says so, and so does a bug of ours. */
  call(name: string, args: readonly KnownValue[]): FunctionResult {
    const definition = this.#definitions.get(name);
    if (!definition) return { error: { text: `There is no function "${name}"` } };
    try {
      return definition.call(args);
    } catch (failure) {
      const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
      return { error: { text: `This is a bug in the provider: please report it.\n\n${text}` } };
    }
  }
}
