import type { TerraformType } from "../schema/terraform";
import type { KnownValue } from "../values";

/**
 * A function of the provider, called as `provider::cwp::NAME(…)`. It is pure and needs no
 * configuration. Its arguments are wholly known and not null.
 */
export interface FunctionDefinition {
  /** `policies_from_json` */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  readonly returns: TerraformType;
  /** One argument for each parameter, converted to its type. */
  call(args: readonly KnownValue[]): FunctionResult;
}

export interface FunctionParameter {
  readonly name: string;
  /** `dynamic` takes a value without conversion. */
  readonly type: TerraformType;
  readonly description: string;
}

export type FunctionResult = { readonly value: KnownValue } | { readonly error: FunctionError };

export interface FunctionError {
  /** Without a full stop: engines put it into a sentence. */
  readonly text: string;
  /** The position of the invalid argument, from 0; absent if it is not a single one. */
  readonly argument?: number;
}
