import type { TerraformType } from "../schema/terraform";
import type { KnownValue } from "../values";

/**
 * A function of the provider, called as `provider::cwp::NAME(…)`. It is pure: it needs no
 * console and no configuration. It is not called before its arguments are wholly known, nor with
 * null for one of them.
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
  /** With `dynamic` a value comes as it is. */
  readonly type: TerraformType;
  readonly description: string;
}

export type FunctionResult = { readonly value: KnownValue } | { readonly error: FunctionError };

export interface FunctionError {
  /** Without a full stop: engines put it into a sentence. */
  readonly text: string;
  /** The position of the argument to blame, from 0; none where it is no single one. */
  readonly argument?: number;
}
