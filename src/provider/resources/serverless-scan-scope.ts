import { memberOf } from "../../core/member-of";
import { z } from "zod";
import { credentialIDOf, type ServerlessScanScope } from "../../api/bodies";
import { hasChange, type Release } from "../../api/release";
import {
  scopeMembersOf,
  scopeCredentialIDs,
  scopeWithCredentialIDs,
} from "../../api/serverless-scope";
import { canonicalJson, changedMembers, decodeMembers, without } from "../collections/members";
import type { EntryCodec, Wanted } from "../collections/ownership";
import { bool, number, optional, set, string } from "../../core/schema/attribute";
import { configOf, stateOf, type StateOf } from "../../core/schema/types";
import { canonicalSet, type ObjectValue } from "../../core/values";
import { decodeExtraJson, extraJsonAttribute, otherMembers, parseJsonObject } from "./extra-json";
import {
  credentialMatches,
  decodeCredential,
  encodeCredential,
  inlineCredentialAttribute,
  lacksSecrets,
  type WantedCredential,
} from "./inline-credential";
import { reviewed } from "../review-hints";

const unset = "If it is not set, the console's value is kept.";
const identifies = "It is part of the scope's identity.";

export const serverlessScanScopeAttributes = {
  credential_id: optional(
    string(z.string().min(1)),
    `ID of the stored credential of the cloud account (section 9.1). Conflicts with \`credential_ids\`. ${identifies}`,
  ),
  credential_ids: optional(
    set(string(z.string().min(1))),
    `IDs of the stored credentials. Only release \`next\` accepts more than one (section 9.3.3). ${identifies}`,
  ),
  credential: inlineCredentialAttribute("the IDs of stored ones"),
  provider: optional(string(), `Cloud provider, in the console's spelling. ${identifies}`),
  region: optional(
    string(),
    `Region. Release \`next\` does not have it (section 9.3.3). ${identifies}`,
  ),
  pattern: optional(
    string(),
    `Pattern of function names. Release \`next\` does not have it (section 9.3.3). ${identifies}`,
  ),
  cap: optional(number(z.int().min(0)), `Number of functions to scan. ${unset}`, {
    ...reviewed({ kind: "limit" }),
  }),
  enabled: optional(bool(), `Enables the scope. ${unset}`, {
    ...reviewed({ kind: "on-switch" }),
  }),
  extra_json: extraJsonAttribute,
};

type Scope = StateOf<typeof serverlessScanScopeAttributes>;

const MEMBERS = {
  provider: "provider",
  region: "region",
  pattern: "pattern",
  cap: "cap",
  enabled: "enabled",
};

/** The members of a scope that have an attribute. */
export const OWN_MEMBERS = [
  "credentialID",
  "credentialId",
  "credentialIDs",
  "credential",
  ...Object.values(MEMBERS),
];

/**
 * Codec of scopes.
 *
 * A scope has no name. Its identity is the credentials, the provider and, up to 20.12, the region and
 * the pattern. A change of one of them removes the scope and adds another one, which has none of the
 * console's values of the first. Two scopes with the same identity are refused.
 *
 * An inline credential of 20.04 is part of the identity by its account. If the stack does not have
 * it, it is kept as found; later releases refuse it (9.1), so it is not written there.
 */
export function serverlessScanCodec(release: Release): EntryCodec<ServerlessScanScope> {
  const { credentials, gone } = scopeMembersOf(release);
  const inline = !hasChange(release, "credentialsById");
  const dropped: readonly string[] = inline ? gone : [...gone, "credential"];

  /** Converts a scope that an older release stored to the members of this release. */
  const outgoing = (item: ServerlessScanScope): ServerlessScanScope => {
    const kept: ServerlessScanScope = without(item, ...dropped);
    return credentials === "credentialIDs" && credentialIDOf(kept) !== undefined
      ? scopeWithCredentialIDs(kept, scopeCredentialIDs(kept), release)
      : kept;
  };
  // `enabled` is sent even if false: the default of a new scope is not specified.
  const create = (scope: Scope) =>
    scopeWithCredentialIDs(
      scope.enabled === null ? {} : { enabled: scope.enabled },
      credentialIDsOf(scope),
      release,
    );

  const decode = (item: ServerlessScanScope, before: ObjectValue | undefined): ObjectValue => ({
    ...decodeCredentials(item, before && scopeOf(before)),
    credential: inline
      ? decodeCredential(item.credential, before && scopeOf(before).credential)
      : null,
    ...decodeMembers(MEMBERS, reader(outgoing(item)), before),
    extra_json: decodeExtraJson(item, before ? scopeOf(before).extra_json : null),
  });

  return {
    keyOfItem: (item) => {
      const found = outgoing(item);
      return scopeKey(scopeCredentialIDs(item), found.credential?.accountID, found);
    },
    keyOfEntry: (entry) => {
      const scope = scopeOf(entry);
      return scopeKey(credentialIDsOf(scope), scope.credential?.account_id, outgoing(pick(scope)));
    },
    decode,
    decodeWhole: (item) => ({
      ...decode(item, undefined),
      extra_json: otherMembers(item, OWN_MEMBERS),
    }),
    matches: (item, entry) => {
      const found = outgoing(item);
      const scope = scopeOf(entry);
      return (
        canonicalJson(change(found, scope)) === canonicalJson(found) &&
        (!inline || credentialMatches(found.credential, scope.credential))
      );
    },
    encode: (wanted, found) => {
      const scope = scopeOf(wanted.entry);
      const base = found ? outgoing(found) : create(scope);
      const credential = inline ? encodeCredential(credentialOf(wanted, base)) : undefined;
      return { ...change(base, scope), ...(credential && { credential }) };
    },
    lacksSecrets: (wanted, found) => inline && lacksSecrets(credentialOf(wanted, found)),
    outgoing,
  };
}

function credentialOf(
  { entry, configured, before }: Wanted,
  found: ServerlessScanScope | undefined,
): WantedCredential {
  return {
    wanted: scopeOf(entry).credential,
    configured: configured && configOf(serverlessScanScopeAttributes, configured).credential,
    before: before && scopeOf(before).credential,
    found: found?.credential,
  };
}

function scopeOf(entry: ObjectValue): Scope {
  return stateOf(serverlessScanScopeAttributes, entry);
}

function credentialIDsOf({ credential_id: one, credential_ids: several }: Scope) {
  return several ?? (one === null ? [] : [one]);
}

function pick({ provider, region, pattern }: Scope) {
  return { provider, region, pattern };
}

/** Returns a key that is readable in messages and equal only if all parts are equal. */
function scopeKey(
  ids: readonly string[],
  account: string | null | undefined,
  { provider, region, pattern }: Pick<ServerlessScanScope, "provider" | "region" | "pattern">,
): string {
  const credentials = [...new Set(ids)].sort().map(escaped).join(",");
  return Object.entries({
    credentials,
    account: escaped(account ?? ""),
    provider: escaped(provider ?? ""),
    region: escaped(region ?? ""),
    pattern: escaped(pattern ?? ""),
  })
    .flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`]))
    .join(" ");
}

/** Escapes the separators of a key. */
function escaped(text: string): string {
  return text.replace(/[%, ]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** Keeps the attribute that the stack uses: an entry with the same key has the same IDs. */
function decodeCredentials(item: ServerlessScanScope, before: Scope | undefined) {
  if (before) {
    return { credential_id: before.credential_id, credential_ids: before.credential_ids };
  }
  const ids = scopeCredentialIDs(item);
  return ids.length > 1
    ? { credential_id: null, credential_ids: canonicalSet(ids) }
    : { credential_id: ids[0] ?? null, credential_ids: null };
}

function reader(item: ServerlessScanScope) {
  return (member: string) => memberOf(item, member);
}

function change(found: ServerlessScanScope, wanted: Scope): ServerlessScanScope {
  const extra = wanted.extra_json === null ? {} : parseJsonObject(wanted.extra_json);
  return { ...found, ...changedMembers(MEMBERS, reader(found), wanted), ...extra };
}
