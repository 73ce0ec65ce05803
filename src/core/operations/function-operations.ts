import { block, printable, printed } from "../printed";
import type { KnownValue } from "../values";
import { Definitions } from "../definitions/definitions";
import type { FunctionDefinition, FunctionResult } from "../definitions/provider-definition";

/** Calls the functions of a provider for both engines. */
export class Functions {
  readonly #definitions: Definitions<FunctionDefinition>;

  constructor(readonly definitions: readonly FunctionDefinition[]) {
    this.#definitions = new Definitions("function", definitions);
  }

  get(name: string): FunctionDefinition | undefined {
    return this.#definitions.find(name);
  }

  /** Never throws: the result names an invalid argument, or describes a bug. */
  call(name: string, args: readonly KnownValue[]): FunctionResult {
    const definition = this.#definitions.find(name);
    if (!definition) return { error: { text: printable(`There is no function "${name}"`) } };
    try {
      return definition.call(args);
    } catch (failure) {
      const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
      const bug = printed`This is a bug in the provider. Please report it.\n\n${block(text)}`;
      return { error: { text: bug.toString() } };
    }
  }
}
