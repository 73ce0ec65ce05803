import type { ServerlessScanScope } from "./bodies";
import { ConfigurationError } from "./errors";
import { hasChange, type Release } from "./release";

/** The member for a scope's credentials and the members that were removed (9.3.3). */
interface ScopeMembers {
  readonly credentials: "credentialID" | "credentialIDs";
  readonly gone: readonly ("region" | "pattern")[];
}

/** Returns the members of a release. */
export function scopeMembersOf(release: Release): ScopeMembers {
  return hasChange(release, "scopesPerAccount")
    ? { credentials: "credentialIDs", gone: ["region", "pattern"] }
    : { credentials: "credentialID", gone: [] };
}

/** Returns the IDs of a scope's stored credentials, in any release's form, without empty ones. */
export function scopeCredentialIDs(scope: ServerlessScanScope): readonly string[] {
  const { credentialIDs, credentialID, credentialId } = scope;
  const several = (credentialIDs ?? []).filter((id) => id !== "");
  if (several.length > 0) return several;
  const one = [credentialID, credentialId].find((id) => typeof id === "string" && id !== "");
  return typeof one === "string" ? [one] : [];
}

/**
 * Returns the scope with these credentials in the form of the release: one `credentialID` up to
 * 20.12, a list of `credentialIDs` in `next`. All other members are kept. Throws a
 * ConfigurationError for several credentials in a release that accepts one, and for members that
 * the release has removed.
 */
export function scopeWithCredentialIDs(
  scope: ServerlessScanScope,
  ids: readonly string[],
  release: Release,
): ServerlessScanScope {
  const { credentials, gone } = scopeMembersOf(release);
  const stray = gone.find((member) => (scope[member] ?? "") !== "");
  if (stray !== undefined) {
    throw new ConfigurationError(
      stray,
      `Release ${release} sets a scope per account: it has no ${stray}.`,
    );
  }
  if (credentials === "credentialID" && ids.length > 1) {
    throw new ConfigurationError(
      "credentialIDs",
      `A scope of release ${release} has one credential, not ${ids.length}.`,
    );
  }
  const written: ServerlessScanScope = { ...scope };
  delete written.credentialID;
  delete written.credentialId;
  delete written.credentialIDs;
  // Empty members that the release does not know are left out.
  for (const member of gone) written[member] = undefined;
  const [id] = ids;
  if (credentials === "credentialIDs") return { ...written, credentialIDs: [...ids] };
  return id === undefined ? written : { ...written, credentialID: id };
}
