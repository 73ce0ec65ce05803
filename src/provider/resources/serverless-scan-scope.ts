import { z } from "zod";
import { credentialIDOf, type ServerlessScanScope } from "../../api/bodies";
import { takesInlineCredentials } from "../../api/inline-credentials";
import type { Release } from "../../api/release";
import {
  SCOPE_MEMBERS,
  scopeCredentialIDs,
  scopeWithCredentialIDs,
} from "../../api/serverless-scope";
import { canonicalJson } from "../collections/digest";
import { changedMembers, decodeMembers, without } from "../collections/members";
import type { EntryCodec } from "../collections/ownership";
import { bool, number, optional, set, string } from "../schema/attribute";
import { configOf, stateOf, type StateOf } from "../schema/types";
import { canonicalSet, type ObjectValue } from "../values";
import { decodeExtraJson, extraJsonAttribute, parseJsonObject } from "./extra-json";
import {
  credentialMatches,
  decodeCredential,
  encodeCredential,
  inlineCredentialAttribute,
} from "./inline-credential";

const unset = "Where it is not set, the console's own value stays.";
const names = "Part of what names the scope: where it is not set, the scope has none.";

export const serverlessScanScopeAttributes = {
  credential_id: optional(
    string(z.string().min(1)),
    `ID of the stored credential of the cloud account (section 9.1); not together with \`credential_ids\`. ${names}`,
  ),
  credential_ids: optional(
    set(string(z.string().min(1))),
    `IDs of the stored credentials; more than one in release \`next\` only (section 9.3.3). ${names}`,
  ),
  credential: inlineCredentialAttribute("the IDs of stored ones"),
  provider: optional(string(), `Cloud provider, as the console spells it. ${names}`),
  region: optional(string(), `Region; not in release \`next\` (section 9.3.3). ${names}`),
  pattern: optional(
    string(),
    `Pattern of the functions' names; not in release \`next\` (section 9.3.3). ${names}`,
  ),
  cap: optional(number(z.int().min(0)), `How many functions are scanned. ${unset}`, {
    review: { kind: "limit" },
  }),
  enabled: optional(bool(), `Whether the scope is scanned. ${unset}`, {
    review: { kind: "on-switch" },
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
 * Between a scope of the stack and one of the console.
 *
 * A scope has no name. What it covers stands for one: the credentials, the provider and, up to
 * 20.12, the region and the pattern. To change one of them is to take one scope away and to add
 * another, which has nothing of the console's own values of the first. Two scopes that cover the
 * same are one too many.
 *
 * An inline credential, which 20.04 takes, stands in the name by its account. One that the stack
 * does not have stays as found there; later releases refuse it (9.1), so that it is not written.
 */
export function serverlessScanCodec(release: Release): EntryCodec<ServerlessScanScope> {
  const { credentials, gone } = SCOPE_MEMBERS[release];
  const inline = takesInlineCredentials(release);
  const dropped: readonly string[] = inline ? gone : [...gone, "credential"];

  /** A scope that an older release has kept is brought to the members of this one. */
  const outgoing = (item: ServerlessScanScope): ServerlessScanScope => {
    const kept: ServerlessScanScope = without(item, ...dropped);
    return credentials === "credentialIDs" && credentialIDOf(kept) !== undefined
      ? scopeWithCredentialIDs(kept, scopeCredentialIDs(kept), release)
      : kept;
  };
  // Sent even if false, which an absent member need not mean in a new scope.
  const create = (scope: Scope) =>
    scopeWithCredentialIDs(
      scope.enabled === null ? {} : { enabled: scope.enabled },
      credentialIDsOf(scope),
      release,
    );

  return {
    keyOfItem: (item) => {
      const found = outgoing(item);
      return keyOf(scopeCredentialIDs(item), found.credential?.accountID, found);
    },
    keyOfEntry: (entry) => {
      const scope = scopeOf(entry);
      return keyOf(credentialIDsOf(scope), scope.credential?.account_id, outgoing(pick(scope)));
    },
    decode: (item, before) => ({
      ...decodeCredentials(item, before && scopeOf(before)),
      credential: inline
        ? decodeCredential(item.credential, before && scopeOf(before).credential)
        : null,
      ...decodeMembers(MEMBERS, reader(outgoing(item)), before),
      extra_json: decodeExtraJson(item, before ? scopeOf(before).extra_json : null),
    }),
    matches: (item, entry) => {
      const found = outgoing(item);
      const scope = scopeOf(entry);
      return (
        canonicalJson(change(found, scope)) === canonicalJson(found) &&
        (!inline || credentialMatches(found.credential, scope.credential))
      );
    },
    encode: ({ entry, configured, before }, found) => {
      const scope = scopeOf(entry);
      const base = found ? outgoing(found) : create(scope);
      const credential = inline
        ? encodeCredential(
            scope.credential,
            configOf(serverlessScanScopeAttributes, configured).credential,
            before && scopeOf(before).credential,
            base.credential,
          )
        : undefined;
      return { ...change(base, scope), ...(credential && { credential }) };
    },
    isBuiltIn: () => false,
    outgoing,
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

/** Readable, since messages name scopes by it, and equal only where all parts are. */
function keyOf(
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

/** Without the characters that part a key. */
function escaped(text: string): string {
  return text.replace(/[%, ]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** An entry with the same key has the same IDs, in the attribute that the stack chose. */
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
  return (member: string) => item[member];
}

function change(found: ServerlessScanScope, wanted: Scope): ServerlessScanScope {
  const extra = wanted.extra_json === null ? {} : parseJsonObject(wanted.extra_json);
  return { ...found, ...changedMembers(MEMBERS, reader(found), wanted), ...extra };
}
