import { z } from "zod";
import type { InlineCredential } from "../../api/bodies";
import { isBlank } from "../../api/inline-credentials";
import { entriesOf } from "../collections/contents";
import { fingerprint, changedMembers, decodeMembers } from "../collections/members";
import { computed, object, optional, string } from "../schema/attribute";
import { stateOf, type ConfigOf, type StateOf } from "../schema/types";
import {
  isObjectValue,
  UNKNOWN,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

const attributes = {
  type: optional(string(), "Type of the credential, such as `basic` or `aws`."),
  account_id: optional(string(), "Account or user name."),
  account_guid: optional(string(), "GUID of the account."),
  secret: optional(string(z.string().min(1)), "The secret.", { writeOnly: true }),
  api_token: optional(string(z.string().min(1)), "The API token.", { writeOnly: true }),
  fingerprint: computed(
    string(),
    "First 16 hex digits of a SHA-256, which detects a changed secret or API token. Null for type `basic`, because a hash of a password would help to guess it; a changed password is sent only when the resource is replaced.",
    { plan: ({ config }) => secretFingerprint(config) },
  ),
};

/** The inline credential of an entry, in release 20.04 only (specification, sections 2.5 and 9.1). */
export function inlineCredentialAttribute(alternatives: string) {
  return optional(
    object(attributes),
    `Inline credential, in release 20.04 only (section 9.1). Conflicts with ${alternatives}.`,
  );
}

/** Returns the paths of the inline credentials in the list attribute `list`. */
export function inlineCredentials(config: ObjectValue, list: string): readonly AttributePath[] {
  return entriesOf(config, list).flatMap(({ credential }, index) =>
    isObjectValue(credential) ? [[list, index, "credential"]] : [],
  );
}

type Stated = StateOf<typeof attributes>;
type Configured = ConfigOf<typeof attributes>;
type Found = InlineCredential | null | undefined;

const MEMBERS = { type: "type", account_id: "accountID", account_guid: "accountGUID" };

/** Compares the members except the secret, which cannot be read. */
export function credentialMatches(found: Found, wanted: Stated | null): boolean {
  if (!wanted) return true;
  return (
    !isBlank(found) &&
    Object.keys(changedMembers(MEMBERS, (member) => found?.[member], wanted)).length === 0
  );
}

/** Returns null if the entry manages no credential, as last known. */
export function decodeCredential(found: Found, before: Stated | null | undefined): Stated | null {
  if (!found || isBlank(found) || before === null) return null;
  const members = decodeMembers(MEMBERS, (member) => found[member], before);
  const isSet = before !== undefined || Object.values(members).some((value) => value !== null);
  return isSet
    ? stateOf(attributes, {
        ...members,
        secret: null,
        api_token: null,
        fingerprint: before?.fingerprint ?? null,
      })
    : null;
}

/**
 * Encodes a credential. New secrets are sent; otherwise the encrypted secrets are sent back as found
 * (notes).
 *
 * @param configured - the wanted credential with its write-only values
 * @param before - the credential in state
 */
export function encodeCredential(
  wanted: Stated | null,
  configured: Configured | null | undefined,
  before: Stated | null | undefined,
  found: Found,
): InlineCredential | undefined {
  if (!wanted) return undefined;
  // Without a credential in state the fingerprint is undefined, which equals none.
  const secretIsNew = before?.fingerprint !== wanted.fingerprint;
  return {
    ...found,
    ...changedMembers(MEMBERS, (member) => found?.[member], wanted),
    ...(secretIsNew && configured?.secret != null && { secret: { plain: configured.secret } }),
    ...(secretIsNew &&
      configured?.api_token != null && { apiToken: { plain: configured.api_token } }),
  };
}

function secretFingerprint({ type, secret, api_token: apiToken }: ObjectValue): Value {
  if ([type, secret, apiToken].includes(UNKNOWN)) return UNKNOWN;
  if (type === "basic" || (secret == null && apiToken == null)) return null;
  return fingerprint(JSON.stringify([secret, apiToken]));
}
