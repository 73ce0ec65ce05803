import type { Environment } from "../core/environment";

/**
 * Returns the environment of a command that the user names, such as that of `--check`: without the
 * variables from which the ephemeral variables of the run take their values.
 *
 * @param ephemeral The names of the ephemeral variables of all stacks of the run.
 */
export function childEnvironment(
  environment: Environment,
  ephemeral: ReadonlySet<string>,
): Environment {
  const hidden = new Set([...ephemeral].flatMap((name) => [name, `TF_VAR_${name}`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name)));
}
