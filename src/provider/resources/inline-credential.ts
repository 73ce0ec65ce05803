import { memberOf } from "../../core/member-of";
import { z } from "zod";
import type { InlineCredential } from "../../api/bodies";
import { isBlank } from "../../api/inline-credentials";
import { entriesOf } from "../collections/contents";
import { fingerprint, changedMembers, decodeMembers } from "../collections/members";
import { computed, object, optional, string } from "../../core/schema/attribute";
import { stateOf, type ConfigOf, type StateOf } from "../../core/schema/types";
import {
  isObjectValue,
  isWhollyKnown,
  UNKNOWN,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";

const attributes = {
  type: optional(string(), "Type of the credential, such as `basic` or `aws`."),
  account_id: optional(string(), "Account or user name."),
  account_guid: optional(string(), "GUID of the account."),
  secret: optional(string(z.string().min(1)), "The secret.", { writeOnly: true }),
  api_token: optional(string(z.string().min(1)), "The API token.", { writeOnly: true }),
  fingerprint: computed(
    string(),
    "First 16 hex digits of a SHA-256, which detects a changed secret or API token. Null for type `basic`, because a hash of a password would help to guess it; a changed password is sent only with a change of another member, or when the resource is replaced.",
    { plan: ({ config }) => secretFingerprint(config) },
  ),
};

/** The inline credential of an entry, in release 20.04 only (specification, sections 2.5 and 9.1). */
export function inlineCredentialAttribute(alternatives: string) {
  return optional(
    object(attributes),
    `Inline credential, in release 20.04 only (section 9.1). If it has no secrets, those on the console are kept. Conflicts with ${alternatives}.`,
  );
}

/** Returns the paths of the inline credentials in the list attribute `list`. */
export function inlineCredentials(config: ObjectValue, list: string): readonly AttributePath[] {
  return entriesOf(config, list).flatMap(({ credential }, index) =>
    isObjectValue(credential) ? [[list, index, "credential"]] : [],
  );
}

/**
 * Plans the fingerprints of credentials without secrets: an entry that keeps its credential keeps the
 * secrets too. `ignore_changes` leaves no secrets in the configuration.
 */
export function keepFingerprints(
  planned: ObjectValue,
  prior: ObjectValue,
  list: string,
  keyOf: (entry: ObjectValue) => string,
): ObjectValue {
  const known = new Map<string, Value>(
    entriesOf(prior, list).map((entry) => [keyOf(entry), entry.credential ?? null]),
  );
  const entries = entriesOf(planned, list);
  const kept = entries.map((entry): ObjectValue => {
    const { credential } = entry;
    if (!isObjectValue(credential) || credential.fingerprint !== null) return entry;
    const before: Value = isWhollyKnown(entry) ? (known.get(keyOf(entry)) ?? null) : null;
    if (!isObjectValue(before)) return entry;
    const secrets: Value = before.fingerprint ?? null;
    const same: ObjectValue = { ...credential, fingerprint: secrets };
    return secrets !== null && valuesEqual(same, before) ? { ...entry, credential: same } : entry;
  });
  const changes = kept.some((entry, index) => entry !== entries[index]);
  return changes ? { ...planned, [list]: kept } : planned;
}

type Stated = StateOf<typeof attributes>;
type Configured = ConfigOf<typeof attributes>;
type FoundCredential = InlineCredential | null | undefined;

const MEMBERS = { type: "type", account_id: "accountID", account_guid: "accountGUID" };

/** Compares the members except the secret, which cannot be read. */
export function credentialMatches(found: FoundCredential, wanted: Stated | null): boolean {
  if (!wanted || isBlank(wanted)) return true;
  return (
    !isBlank(found) &&
    Object.keys(changedMembers(MEMBERS, (member) => memberOf(found, member), wanted)).length === 0
  );
}

/** Returns null if the entry manages no credential, as last known. */
export function decodeCredential(
  found: FoundCredential,
  before: Stated | null | undefined,
): Stated | null {
  // A credential without members asks for nothing, so that the console may have none.
  if (before && isBlank(before)) return before;
  if (!found || isBlank(found) || before === null) return null;
  const members = decodeMembers(MEMBERS, (member) => memberOf(found, member), before);
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

/** The planned credential of an entry, and where its secrets can come from. */
export interface WantedCredential {
  readonly wanted: Stated | null;
  /** The credential that the configuration has for the key of the entry. */
  readonly configured: Configured | null | undefined;
  /** The credential in the state. */
  readonly before: Stated | null | undefined;
  /** The credential on the console. */
  readonly found: FoundCredential;
}

/**
 * Encodes a credential. The secrets of a new or changed one are sent; otherwise the encrypted secrets
 * are sent back as found (notes).
 */
export function encodeCredential(credential: WantedCredential): InlineCredential | undefined {
  const { wanted, configured, found } = credential;
  if (!wanted) return undefined;
  const sent = !isKept(credential) && isPlanned(credential) ? configured : null;
  return {
    ...found,
    ...changedMembers(MEMBERS, (member) => memberOf(found, member), wanted),
    ...(sent?.secret != null && { secret: { plain: sent.secret } }),
    ...(sent?.api_token != null && { apiToken: { plain: sent.api_token } }),
  };
}

/** Reports a new or changed credential whose secrets the configuration does not have. */
export function lacksSecrets(credential: WantedCredential): boolean {
  const { wanted, configured } = credential;
  if (!wanted || isKept(credential)) return false;
  return wanted.fingerprint === null ? !configured : !isPlanned(credential);
}

/** The console holds the credential as planned. */
function isKept({ wanted, before, found }: WantedCredential): boolean {
  return wanted !== null && valuesEqual(before ?? null, wanted) && !isBlank(found);
}

/** The configuration has the secrets that the plan was made with. */
function isPlanned({ wanted, configured }: WantedCredential): boolean {
  if (!wanted || !configured) return false;
  return secretFingerprint({ ...configured, type: wanted.type }) === wanted.fingerprint;
}

function secretFingerprint({ type, secret, api_token: apiToken }: ObjectValue): Value {
  if ([type, secret, apiToken].includes(UNKNOWN)) return UNKNOWN;
  if (type === "basic" || (secret == null && apiToken == null)) return null;
  return fingerprint(JSON.stringify([secret, apiToken]));
}
