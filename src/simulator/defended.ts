import type { Document } from "./documents";
import type { ServerlessFunction } from "./inventory";

/** Whether a defender is in it: one was, or auto-deploy has put one there. */
export function isDefended(func: ServerlessFunction, autoDeploy: readonly Document[]): boolean {
  return func.defended || autoDeploy.some((specification) => reaches(specification, func));
}

/**
 * Whether an auto-deploy specification deploys to the function: by provider and by runtime, of
 * which `nodejs` means every `nodejs12.x`. What it leaves out, or empty, it does not ask for.
 */
export function reaches(
  { provider, runtimes }: Document,
  { account, runtime }: ServerlessFunction,
): boolean {
  const isOfProvider = typeof provider !== "string" || ["", account.provider].includes(provider);
  const prefixes = Array.isArray(runtimes) ? runtimes.map(String) : [];
  return (
    isOfProvider && (prefixes.length === 0 || prefixes.some((prefix) => runtime.startsWith(prefix)))
  );
}
