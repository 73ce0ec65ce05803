import type { CollectionKind } from "../../../src/api/collections";
import type { Release } from "../../../src/api/release";
import type { Json } from "../support/engine";

/** An entry of a configuration. */
export interface Variant {
  readonly name: string;
  /** Changes a member. */
  readonly changed?: boolean;
  /** Changes the secret of the inline credential, if the entry has one. */
  readonly rotated?: boolean;
}

/** A collection under test: entries of a configuration, and items that somebody adds or changes. */
export interface Subject {
  readonly kind: CollectionKind;
  readonly type: string;
  /** The attribute that holds the entries. */
  readonly list: string;
  readonly ordered: boolean;
  /** Empty if the resource has no such attribute. */
  readonly ownerships: readonly string[];
  /** The attribute, and the member of the API, that is the name in a variant. */
  readonly key: { readonly attribute: string; readonly member: string };
  /** An attribute that a variant and somebody change. */
  readonly changing: string;
  /** Entries may have inline credentials in 20.04. */
  readonly hasCredentials: boolean;
  readonly entry: (variant: Variant, release: Release) => Json;
  /** An item that somebody adds. */
  readonly item: (name: string) => Json;
  /** Members that somebody changes in an item. */
  readonly change: Json;
  /** The attributes of an item, as the API documents them; without `extra_json` and `credential`. */
  readonly view: (item: Json) => Json;
}

/** The plain secret of an entry. */
export function secretOf({ name, rotated = false }: Variant): string {
  return `secret ${rotated ? 2 : 1} of ${name}`;
}

/** A is a key of AWS, B has a password, and others name a stored credential. */
function credentialOf(variant: Variant, release: Release, stored: Json): Json {
  const [initial = ""] = variant.name;
  if (release !== "20.04" || !["A", "B"].includes(initial)) return stored;
  const type = initial === "A" ? "aws" : "basic";
  const credential = { type, account_id: `account of ${initial}`, secret: secretOf(variant) };
  return { credential };
}

const SCOPES = {
  hosts: "hosts",
  images: "images",
  labels: "labels",
  containers: "containers",
  namespaces: "namespaces",
  account_ids: "accountIDs",
};

const policies: Subject = {
  kind: "policies",
  type: "cwp_compliance_policy_set",
  list: "policies",
  ordered: true,
  ownerships: ["exclusive", "prefix", "suffix"],
  key: { attribute: "name", member: "name" },
  changing: "checks",
  hasCredentials: false,
  entry: ({ name, changed = false }) => ({
    name,
    checks: { "41": !changed, "57": true },
    resources: { images: [`${name}*`, "z"] },
    ...(name === "B" && { extra_json: '{"notes": "ours"}' }),
  }),
  item: (name) => ({
    name,
    notes: "theirs",
    condition: { vulnerabilities: [{ id: 51, block: true }] },
  }),
  change: { disabled: true, condition: { vulnerabilities: [{ id: 599, block: false }] } },
  view: ({ name, disabled = false, verbose = false, resources, condition }) => ({
    name,
    disabled,
    verbose,
    resources: Object.fromEntries(
      Object.entries(SCOPES).map(([attribute, member]) => [
        attribute,
        (resources as Json | undefined)?.[member] ?? ["*"],
      ]),
    ),
    checks: Object.fromEntries(
      ((condition as { vulnerabilities?: Json[] } | undefined)?.vulnerabilities ?? []).map(
        ({ id, block = false }) => [String(id), block],
      ),
    ),
  }),
};

const registry: Subject = {
  kind: "registry",
  type: "cwp_registry_scan",
  list: "specifications",
  ordered: false,
  ownerships: ["exclusive", "shared"],
  key: { attribute: "repository", member: "repository" },
  changing: "cap",
  hasCredentials: true,
  entry: (variant, release) => ({
    registry: "r.example",
    repository: variant.name,
    tag: "*",
    cap: variant.changed ? 9 : 5,
    ...credentialOf(variant, release, { credential_id: `stored ${variant.name}` }),
  }),
  item: (name) => ({ registry: "r.example", repository: name, tag: "*", cap: 3, os: "linux" }),
  change: { cap: 7, os: "windows" },
  view: (item) => ({ ...item, credential_id: item.credentialID }),
};

const serverlessScan: Subject = {
  kind: "serverlessScan",
  type: "cwp_serverless_scan",
  list: "scopes",
  ordered: false,
  ownerships: [],
  key: { attribute: "provider", member: "provider" },
  changing: "cap",
  hasCredentials: true,
  entry: (variant, release) => ({
    provider: variant.name,
    cap: variant.changed ? 9 : 5,
    enabled: true,
    ...credentialOf(variant, release, { credential_id: `stored ${variant.name}` }),
    ...(variant.name === "C" && { extra_json: '{"scanLayers": true}' }),
  }),
  item: (name) => ({ provider: name, cap: 3, enabled: true }),
  change: { cap: 7, enabled: false },
  view: ({ credentialID, credentialIDs, ...item }) => ({
    ...item,
    credential_id: credentialID ?? (credentialIDs as readonly string[] | undefined)?.[0],
  }),
};

const serverlessAutoDeploy: Subject = {
  kind: "serverlessAutoDeploy",
  type: "cwp_serverless_auto_deploy",
  list: "specs",
  ordered: false,
  ownerships: [],
  key: { attribute: "name", member: "name" },
  changing: "runtimes",
  hasCredentials: false,
  entry: ({ name, changed = false }) => ({
    name,
    credential_id: "stored",
    runtimes: changed ? ["java"] : ["nodejs", "python"],
    ...(name === "C" && { extra_json: '{"layers": ["one"]}' }),
  }),
  item: (name) => ({ name, credentialID: "theirs", runtimes: ["ruby"] }),
  change: { runtimes: ["ruby"], credentialID: "theirs" },
  view: ({ credentialID, ...item }) => ({ ...item, credential_id: credentialID }),
};

export const SUBJECTS = [policies, registry, serverlessScan, serverlessAutoDeploy] as const;
