import { memberOf } from "../../core/member-of";
import { z } from "zod";
import type { Environment } from "../../core/environment";
import { error, type Diagnostic } from "../../core/diagnostics";

/*
 * Arguments of backend blocks. Terraform converts numbers and booleans that are written as strings.
 */

export const text = z.string().nullish();
export const number = z.coerce.number().int().nonnegative().nullish();
export const flag = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((value) => value === "true")])
  .nullish();

/**
 * Returns a reader of arguments: of the block, else of the environment, in which an empty variable is
 * one that is not set.
 *
 * @param prefix Of the variables, such as `TF_HTTP_`.
 */
export function argumentReader<S extends object>(
  settings: S,
  environment: Environment,
  prefix: string,
): (name: keyof S & string) => string | undefined {
  return (name) => {
    const configured = settings[name];
    if (configured !== null && configured !== undefined) return String(configured);
    const variable = memberOf(environment, prefix + name.toUpperCase());
    return variable === "" ? undefined : variable;
  };
}

/** The result for a backend that cannot be opened. */
export function invalidBackend(detail: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [error("Invalid backend configuration", detail)] };
}
