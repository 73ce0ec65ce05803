import type { Environment } from "../environment";
import { isSecretName, LEAST_SECRET_CHARACTERS } from "../redact";

/** Credentials of servers of states, besides those of clouds: other programs use those too. */
const STATE_SERVERS = /^(?:TF_HTTP_(?:PASSWORD|CLIENT_PRIVATE_KEY_PEM)|PGPASSWORD|TF_TOKEN_\w+)$/;
/** Addresses and connection strings, which may have a password. */
const ADDRESSES = /^(?:TF_HTTP|PG|CONSOLE|TF_VAR)_/;
const WITH_PASSWORD = /:\/\/[^/?#@]*:[^/?#@]+@|\bpassword\s*=/i;

/** Variables with a secret's name that have none. */
const NO_SECRET = /_(?:FILE|DIR|PATH|URL|URI)$/;

/** The credentials in the variables of an environment that are named like secrets. */
export function secretsOfEnvironment(environment: Environment): readonly string[] {
  const named = Object.entries(environment).flatMap(([name, text = ""]) => {
    const isSecret = isSecretName(name) && !NO_SECRET.test(name) && !text.startsWith("/");
    return isSecret && text.length >= LEAST_SECRET_CHARACTERS ? [text] : [];
  });
  const { TF_HTTP_USERNAME, TF_HTTP_PASSWORD } = environment;
  const pair = TF_HTTP_PASSWORD === undefined ? [] : [`${TF_HTTP_USERNAME}:${TF_HTTP_PASSWORD}`];
  return [...named, ...pair];
}

/**
 * Returns the environment of a program that a run starts beside its work, such as `git` or the command
 * of `--check`: without the credentials of consoles and of servers of states, and without the variables
 * from which the ephemeral variables of the run take their values. Credentials of clouds stay.
 *
 * @param ephemeral The names of the ephemeral variables of all stacks of the run.
 */
export function childEnvironment(
  environment: Environment,
  ephemeral: Iterable<string> = [],
): Environment {
  const hidden = new Set([...ephemeral].flatMap((name) => [name, `TF_VAR_${name}`]));
  const isHidden = (name: string, text: string) =>
    hidden.has(name) ||
    STATE_SERVERS.test(name) ||
    (ADDRESSES.test(name) && WITH_PASSWORD.test(text)) ||
    (/^(?:CONSOLE|TF_VAR)_/.test(name) && isSecretName(name)) ||
    name === "CONSOLE_LICENSE_KEY";
  return Object.fromEntries(
    Object.entries(environment).filter(([name, text = ""]) => !isHidden(name, text)),
  );
}
