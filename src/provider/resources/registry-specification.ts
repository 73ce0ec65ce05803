import { z } from "zod";
import { credentialIDOf, type RegistrySpecification } from "../../api/bodies";
import { takesInlineCredentials } from "../../api/inline-credentials";
import type { Release } from "../../api/release";
import { changedMembers, decodeMembers, without } from "../collections/members";
import type { EntryCodec, Wanted } from "../collections/ownership";
import { bool, number, optional, required, string } from "../schema/attribute";
import { configOf, stateOf, type StateOf } from "../schema/types";
import type { ObjectValue } from "../values";
import {
  credentialMatches,
  decodeCredential,
  encodeCredential,
  inlineCredentialAttribute,
  isBlank,
} from "./inline-credential";

const unset = "If it is not set, the console's value is kept.";

export const registrySpecificationAttributes = {
  registry: required(string(), "Registry address; empty for Docker Hub."),
  repository: required(string(z.string().min(1)), "Repository pattern."),
  tag: required(string(), "Tag pattern."),
  cap: optional(number(z.int().min(0)), `Number of latest images to scan. ${unset}`, {
    review: { kind: "limit" },
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
  credential: inlineCredentialAttribute("`credential_id`"),
};

type Specification = StateOf<typeof registrySpecificationAttributes>;

/** Members of section 2.5 by the attributes that manage them. */
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

/** Codec of the specifications of section 2.5. */
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
      (!inline ||
        credentialMatches(
          item.credential,
          stateOf(registrySpecificationAttributes, entry).credential,
        )),
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
    ? encodeCredential(
        wanted.credential,
        configOf(registrySpecificationAttributes, configured).credential,
        known?.credential,
        base.credential,
      )
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
