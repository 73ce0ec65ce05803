import { homedir } from "node:os";
import { resolve } from "node:path";
import { memberOf } from "../../core/member-of";
import { z } from "zod";
import type { Environment } from "../../core/environment";
import { error, type Diagnostic } from "../../core/diagnostics";

/*
 * Arguments of backend blocks. Terraform converts numbers and booleans that are written as strings.
 */

export const text = z.string().nullish();
export const number = z.coerce.number().int().nonnegative().nullish();
export const flagArgument = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((value) => value === "true")])
  .nullish();

/** An argument for a secret, which is written to cdk.tf.json: only the environment may have it. */
export function secret(variable: string) {
  return z.null(`must not be in the configuration. Set ${variable} in the environment`).optional();
}

/** An argument that this program does not have. @param reason A sentence without its full stop. */
export function refusedArgument(reason: string) {
  return z.null(`is not supported. ${reason}. Terraform has it: "--engine terraform"`).optional();
}

/** Returns the argument, else the first of these variables that is set. */
export function valueOrVariable(
  configured: string | number | boolean | null | undefined,
  environment: Environment,
  ...variables: readonly string[]
): string | undefined {
  if (configured !== null && configured !== undefined) return String(configured);
  return variables.map((name) => memberOf(environment, name)).find((value) => value);
}

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
    return valueOrVariable(undefined, environment, prefix + name.toUpperCase());
  };
}

/** Returns the path of a file that an argument or a variable names. @param directory That of the stack. */
export function fileOf(path: string, directory: string): string {
  return resolve(directory, path.replace(/^~(?=\/)/, homedir()));
}

/** The result for a backend that cannot be opened. */
export function invalidBackend(detail: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [error("Invalid backend configuration", detail)] };
}
