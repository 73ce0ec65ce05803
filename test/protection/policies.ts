import type { Policy, Scope } from "../../src/protection/policy";

/** Checks by ID: they block; those whose ID begins with `~` alert. */
export function checks(...ids: readonly string[]): Policy["checks"] {
  return Object.fromEntries(ids.map((id) => [id.replace("~", ""), !id.startsWith("~")]));
}

/** An enabled policy with the checks of these IDs; see `checks`. */
export function policy(name: string, scope: Scope, ...ids: readonly string[]): Policy {
  return { name, disabled: false, scope, checks: checks(...ids) };
}
