import { z } from "zod";
import {
  credentialIDOf,
  type InlineCredential,
  type RegistrySpecification,
} from "../../api/bodies";
import { takesInlineCredentials } from "../../api/inline-credentials";
import type { Release } from "../../api/release";
import { fingerprint } from "../collections/digest";
import { changedMembers, decodeMembers, without } from "../collections/members";
import type { EntryCodec, Wanted } from "../collections/ownership";
import { bool, computed, number, object, optional, required, string } from "../schema/attribute";
import { configOf, stateOf } from "../schema/typed";
import type { ConfigOf, StateOf } from "../schema/types";
import { UNKNOWN, type ObjectValue, type Value } from "../values";

const unset = "Where it is not set, the console's own value stays.";

const credentialAttributes = {
  type: optional(string(), "Type of the credential, such as `basic` or `aws`."),
  account_id: optional(string(), "Account or user name."),
  account_guid: optional(string(), "GUID of the account."),
  secret: optional(string(z.string().min(1)), "The secret.", { writeOnly: true }),
  api_token: optional(string(z.string().min(1)), "The API token.", { writeOnly: true }),
  fingerprint: computed(
    string(),
    "Tells a changed secret or API token: 16 hex digits of a SHA-256. Null for type `basic`, whose secret is a password: a hash would help to guess it, so a changed password is sent only when the resource is replaced.",
    { plan: ({ config }) => secretFingerprint(config) },
  ),
};

export const registrySpecificationAttributes = {
  registry: required(string(), "Registry address; empty for Docker Hub."),
  repository: required(string(z.string().min(1)), "Repository pattern."),
  tag: required(string(), "Tag pattern."),
  cap: optional(number(z.int().min(0)), `How many of the latest images are scanned. ${unset}`),
  os: optional(string(), `Operating system of the images. ${unset}`),
  hostname: optional(string(), `Host of the defender that scans. ${unset}`),
  namespace: optional(string(), `Namespace of the registry. ${unset}`),
  use_aws_role: optional(bool(), `Whether the IAM role of the scanning host is used. ${unset}`),
  version: optional(string(), `Registry type, as the console spells it. ${unset}`),
  credential_id: optional(string(), `ID of the stored credential used for scanning. ${unset}`),
  role_arn: optional(string(), `AWS role to assume. ${unset}`),
  scanners: optional(number(z.int().min(0)), `How many defenders scan. ${unset}`),
  version_pattern: optional(string(), `Pattern that orders the tags by version. ${unset}`),
  credential: optional(
    object(credentialAttributes),
    "Inline credential, in release 20.04 only; not together with `credential_id` (section 9.1).",
  ),
};

type Specification = StateOf<typeof registrySpecificationAttributes>;
type Configured = ConfigOf<typeof registrySpecificationAttributes>;

/** The members of 2.5 that are compared one by one, by the attributes that manage them. */
const MEMBERS = {
  cap: "cap",
  os: "os",
  hostname: "hostname",
  namespace: "namespace",
  use_aws_role: "useAWSRole",
  version: "version",
  credential_id: "credentialID",
  role_arn: "roleArn",
  scanners: "scanners",
  version_pattern: "versionPattern",
} as const;
const CREDENTIAL_MEMBERS = { type: "type", account_id: "accountID", account_guid: "accountGUID" };

/** Between a specification of the stack and one of section 2.5. */
export function registryCodec(release: Release): EntryCodec<RegistrySpecification> {
  const inline = takesInlineCredentials(release);
  const outgoing = (item: RegistrySpecification) => (inline ? item : without(item, "credential"));
  return {
    keyOfItem: (item) => keyOf(item),
    keyOfEntry: (entry) => keyOf(stateOf(registrySpecificationAttributes, entry)),
    decode: (item, before) =>
      decode(item, before && stateOf(registrySpecificationAttributes, before), inline),
    matches: (item, entry) =>
      Object.keys(changedMembers(MEMBERS, reader(item), entry)).length === 0 &&
      (!inline || credentialMatches(item, stateOf(registrySpecificationAttributes, entry))),
    encode: (wanted, found) => encode(wanted, found && outgoing(found), inline),
    isBuiltIn: () => false,
    outgoing,
  };
}

function keyOf(one: RegistrySpecification | Specification): string {
  return [one.registry ?? "", one.repository ?? "", one.tag ?? ""].join(" ");
}

function decode(
  item: RegistrySpecification,
  before: Specification | undefined,
  inline: boolean,
): Specification & ObjectValue {
  return stateOf(registrySpecificationAttributes, {
    registry: item.registry ?? "",
    repository: item.repository ?? "",
    tag: item.tag ?? "",
    ...decodeMembers(MEMBERS, reader(item), before),
    credential: inline ? decodeCredential(item.credential, before?.credential) : null,
  });
}

function reader(item: RegistrySpecification) {
  return (member: string) => (member === "credentialID" ? credentialIDOf(item) : item[member]);
}

function encode(
  { entry, configured, before }: Wanted,
  found: RegistrySpecification | undefined,
  inline: boolean,
): RegistrySpecification {
  const wanted = stateOf(registrySpecificationAttributes, entry);
  const known = before && stateOf(registrySpecificationAttributes, before);
  const base = withOneCredential(wanted, found ?? keyMembers(wanted), inline);
  const changed = changedMembers(MEMBERS, reader(base), wanted);
  const credential = inline
    ? encodeCredential(wanted, configOf(registrySpecificationAttributes, configured), known, base)
    : undefined;
  return {
    ...("credentialID" in changed ? without(base, "credentialId") : base),
    ...changed,
    ...(credential && { credential }),
  };
}

function keyMembers({ registry, repository, tag }: Specification): RegistrySpecification {
  return { registry, repository, tag };
}

/** Inline or by ID, not both (notes): the kind that is wanted drives out the other. */
function withOneCredential(
  wanted: Specification,
  base: RegistrySpecification,
  inline: boolean,
): RegistrySpecification {
  if (wanted.credential && !isBlank(credentialIDOf(base))) {
    return without(base, "credentialID", "credentialId");
  }
  return inline && !isBlank(wanted.credential_id) && !isBlank(base.credential)
    ? without(base, "credential")
    : base;
}

/** Whether nothing is said: null, empty, or members that say nothing. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isBlank);
}

/** The secret cannot be read, so a credential with the same members is taken for the same. */
function credentialMatches(item: RegistrySpecification, { credential }: Specification): boolean {
  if (!credential) return true;
  const found = item.credential;
  return (
    !isBlank(found) &&
    Object.keys(changedMembers(CREDENTIAL_MEMBERS, (member) => found?.[member], credential))
      .length === 0
  );
}

function decodeCredential(
  found: InlineCredential | null | undefined,
  before: Specification["credential"] | undefined,
): Specification["credential"] {
  if (!found || isBlank(found) || before === null) return null;
  const members = decodeMembers(CREDENTIAL_MEMBERS, (member) => found[member], before);
  const isSet = before !== undefined || Object.values(members).some((value) => value !== null);
  return isSet
    ? stateOf(credentialAttributes, {
        ...members,
        secret: null,
        api_token: null,
        fingerprint: before?.fingerprint ?? null,
      })
    : null;
}

/** The secrets are sent when they are new; else the encrypted ones go back as found (notes). */
function encodeCredential(
  wanted: Specification,
  configured: Configured,
  before: Specification | undefined,
  found: RegistrySpecification,
): InlineCredential | undefined {
  const { credential } = wanted;
  if (!credential) return undefined;
  // Undefined where none was sent yet, which no fingerprint equals.
  const secretIsNew = before?.credential?.fingerprint !== credential.fingerprint;
  const secrets = configured.credential;
  return {
    ...found.credential,
    ...changedMembers(CREDENTIAL_MEMBERS, (member) => found.credential?.[member], credential),
    ...(secretIsNew && secrets?.secret != null && { secret: { plain: secrets.secret } }),
    ...(secretIsNew && secrets?.api_token != null && { apiToken: { plain: secrets.api_token } }),
  };
}

function secretFingerprint({ type, secret, api_token: apiToken }: ObjectValue): Value {
  if ([type, secret, apiToken].includes(UNKNOWN)) return UNKNOWN;
  if (type === "basic" || (secret == null && apiToken == null)) return null;
  return fingerprint(JSON.stringify([secret, apiToken]));
}
