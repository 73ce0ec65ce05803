import { memberOf } from "../../core/member-of";
import { isBlank } from "../../api/inline-credentials";
import { hasChange, type Release } from "../../api/release";
import { required, bool, number, optional, set, string } from "../../core/schema/attribute";
import { type ObjectValue } from "../../core/values";
import {
  credentialMatches,
  decodeCredential,
  encodeCredential,
  inlineCredentialAttribute,
  lacksSecrets,
  type WantedCredential,
} from "./inline-credential";
import { z } from "zod";
import { collectionNames } from "../../api/collection-names";
import { decodeExtraJson, extraJsonAttribute, otherMembers, parseJsonObject } from "./extra-json";
import { credentialIDOf, type RegistrySpecification } from "../../api/bodies";
import { changedMembers, decodeMembers, without } from "../collections/members";
import type { EntryCodec, Wanted } from "../collections/ownership";
import { configOf, stateOf, type StateOf } from "../../core/schema/types";
import { reviewed } from "../review-hints";

const unset = "If it is not set, the console's value is kept.";

/** The attributes of a specification (section 2.5). */
export const registrySpecificationAttributes = {
  registry: required(string(), "Registry address; empty for Docker Hub."),
  repository: required(string(), "Repository pattern; empty if the registry type has none."),
  tag: required(string(), "Tag pattern."),
  cap: optional(number(z.int().min(0)), `Number of latest images to scan. ${unset}`, {
    ...reviewed({ kind: "limit" }),
  }),
  os: optional(string(), `Operating system of the images. ${unset}`),
  hostname: optional(string(), `Host name of the defender that scans. ${unset}`),
  namespace: optional(string(), `Namespace of the registry. ${unset}`),
  use_aws_role: optional(bool(), `Uses the IAM role of the scanning host. ${unset}`),
  version: optional(string(), `Registry type, in the console's spelling. ${unset}`),
  credential_id: optional(string(), `ID of the stored credential used for scanning. ${unset}`),
  role_arn: optional(string(), `AWS role to assume. ${unset}`),
  scanners: optional(number(z.int().min(0)), `Number of defenders that scan. ${unset}`),
  version_pattern: optional(string(), `Pattern that sorts tags by version. ${unset}`),
  collections: optional(set(string()), `Names of the collections that it scans for. ${unset}`, {
    ...reviewed({ kind: "scope" }),
  }),
  excluded_tags: optional(set(string()), `Patterns of tags that are not scanned. ${unset}`),
  excluded_repositories: optional(
    set(string()),
    `Patterns of repositories that are not scanned. ${unset}`,
  ),
  harbor_deployment_security: optional(
    bool(),
    `Lets Harbor ask the console before it deploys an image. ${unset}`,
  ),
  credential: inlineCredentialAttribute("`credential_id`"),
  extra_json: extraJsonAttribute,
};

export const KEY = ["registry", "repository", "tag"] as const;
type Specification = StateOf<typeof registrySpecificationAttributes>;

/** Members of section 2.5, and four of consoles in the field, by the attributes that manage them. */
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
  collections: "collections",
  excluded_tags: "excludedTags",
  excluded_repositories: "excludedRepositories",
  harbor_deployment_security: "harborDeploymentSecurity",
} as const;

/** The members that attributes manage: `extra_json` cannot have them. */
export const SPECIFICATION_MEMBERS = [
  ...KEY,
  ...Object.values(MEMBERS),
  "credentialId",
  "credential",
];

/** Codec of the specifications of section 2.5. */
export function registryCodec(release: Release): EntryCodec<RegistrySpecification> {
  const inline = !hasChange(release, "credentialsById");
  const outgoing = (item: RegistrySpecification) => (inline ? item : without(item, "credential"));
  return {
    keyOfItem: (item) =>
      keyOf(item, item.os, credentialIDOf(item) ?? (inline ? item.credential?.accountID : null)),
    keyOfEntry: (entry) => keyOfEntry(entry),
    partOfItem: (item) => keyOf(item),
    partOfEntry: (entry) => keyOf(specificationOf(entry)),
    agrees: (entry, item) => {
      const { os, credential_id: id, credential } = specificationOf(entry);
      const account = isBlank(id) ? credential?.account_id : id;
      const ofItem = credentialIDOf(item) ?? (inline ? item.credential?.accountID : null);
      return (isBlank(os) || os === item.os) && (isBlank(account) || account === ofItem);
    },
    decode: (item, before) => decode(item, before && specificationOf(before), inline),
    decodeWhole: (item) => ({
      ...decode(item, undefined, inline),
      extra_json: otherMembers(item, SPECIFICATION_MEMBERS),
    }),
    matches: (item, entry) =>
      Object.keys(changedMembers(MEMBERS, reader(item), entry)).length === 0 &&
      holdsExtra(item, specificationOf(entry)) &&
      (!inline ||
        credentialMatches(
          item.credential,
          stateOf(registrySpecificationAttributes, entry).credential,
        )),
    encode: (wanted, found) => encode(wanted, found && outgoing(found), inline),
    lacksSecrets: (wanted, found) =>
      inline && lacksSecrets(credentialOf(wanted, found && outgoing(found))),
    outgoing,
  };
}

function specificationOf(entry: ObjectValue): Specification {
  return stateOf(registrySpecificationAttributes, entry);
}

/** Names a specification: `REGISTRY REPOSITORY TAG`, and what else identifies it. */
export function keyOfEntry(entry: ObjectValue): string {
  const specification = specificationOf(entry);
  const { os, credential_id: id, credential } = specification;
  return keyOf(specification, os, isBlank(id) ? credential?.account_id : id);
}

/** A registry can have several specifications, with other credentials or operating systems. */
function keyOf(
  { registry, repository, tag }: RegistrySpecification | Specification,
  os?: string | null,
  credential?: string | null,
): string {
  const rest = Object.entries({ os, credential }).filter(([, value]) => !isBlank(value));
  const more = rest.map(([name, value]) => `${name} ${value}`).join(", ");
  const part = [registry, repository, tag].map((one) => one ?? "").join(" ");
  return more === "" ? part : `${part} (${more})`;
}

function holdsExtra(item: RegistrySpecification, { extra_json: extra }: Specification): boolean {
  return decodeExtraJson(item, extra) === extra;
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
    extra_json: decodeExtraJson(item, before?.extra_json ?? null),
  });
}

function reader(item: RegistrySpecification) {
  return (member: string) => {
    if (member === "credentialID") return credentialIDOf(item);
    const found = memberOf(item, member);
    return member === "collections" ? collectionNames(found) : found;
  };
}

function encode(
  want: Wanted,
  found: RegistrySpecification | undefined,
  inline: boolean,
): RegistrySpecification {
  const wanted = stateOf(registrySpecificationAttributes, want.entry);
  const base = withOneCredential(wanted, found ?? keyMembers(wanted), inline);
  const changed = changedMembers(MEMBERS, reader(base), wanted);
  const credential = inline ? encodeCredential(credentialOf(want, base)) : undefined;
  return {
    ...("credentialID" in changed ? without(base, "credentialId") : base),
    ...changed,
    ...(credential && { credential }),
    ...(wanted.extra_json === null ? {} : parseJsonObject(wanted.extra_json)),
  };
}

function credentialOf(
  { entry, configured, before }: Wanted,
  found: RegistrySpecification | undefined,
): WantedCredential {
  const attributes = registrySpecificationAttributes;
  return {
    wanted: stateOf(attributes, entry).credential,
    configured: configured && configOf(attributes, configured).credential,
    before: before && stateOf(attributes, before).credential,
    found: found?.credential,
  };
}

function keyMembers({ registry, repository, tag }: Specification): RegistrySpecification {
  return { registry, repository, tag };
}

/** Removes the other kind of credential: a specification has one inline or by ID (notes). */
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
