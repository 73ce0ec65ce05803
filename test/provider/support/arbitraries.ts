import fc from "fast-check";
import type { CompliancePolicy } from "../../../src/api/bodies";
import { DEFAULT_RELEASE, NEWEST_RELEASE, type Release } from "../../../src/api/release";
import { entriesOf } from "../../../src/provider/collections/contents";
import { releasesWith } from "../../../src/provider/release-changes";
import type { ListedResource } from "../../../src/provider/listing";
import { resources } from "../../../src/provider/resources";
import { nestedAttributes } from "../../../src/core/schema/terraform";
import type { ObjectValue } from "../../../src/core/values";
import { reviewOf } from "../../../src/provider/review-hints";

/** JSON text with spellings that a lossy reader changes. */
const numberText = fc.constantFrom("0", "-0", "1.0", "1e3", "9007199254740993", "0.10", "-12E-4");
const key = fc
  .oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("notes", "é\u2028", "<&>"))
  // JavaScript moves such keys to the front of an object, or sets its prototype.
  .filter((name) => !/^\d+$/.test(name) && name !== "__proto__");

export const jsonText: fc.Arbitrary<string> = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("null", "true", "false"),
    numberText,
    fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
    fc.array(tie("json"), { maxLength: 3 }).map((members) => `[${members.join(",")}]`),
    fc
      .uniqueArray(fc.tuple(key, tie("json")), { maxLength: 3, selector: ([name]) => name })
      .map(objectText),
  ),
})).json;

export function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/** Members that the specification does not name. */
export const unknownMembers = fc
  .uniqueArray(fc.tuple(key, jsonText), { maxLength: 4, selector: ([name]) => name })
  .map((members) => members.map(([name, text]) => [`x${name}`, text] as const));

const scope = fc.option(
  fc.uniqueArray(fc.constantFrom("*", "a", "b", "prod-*"), { maxLength: 3 }),
  {
    nil: null,
  },
);

const checks = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.tuple(fc.constant(String(id)), fc.boolean()))))
  .map((pairs) => Object.fromEntries(pairs));

const flag = fc.option(fc.boolean(), { nil: null });

/** A policy as a stack configures it. */
function policyConfig(name: fc.Arbitrary<string>): fc.Arbitrary<ObjectValue> {
  return fc.record({
    name,
    disabled: flag,
    verbose: flag,
    resources: fc.option(
      fc.record({
        hosts: scope,
        images: scope,
        labels: scope,
        containers: scope,
        namespaces: scope,
        account_ids: scope,
      }),
      { nil: null },
    ),
    collections: fc.constant(null),
    checks,
  });
}

/** A policy that collections limit in place of resources. */
function byCollections(config: fc.Arbitrary<ObjectValue>): fc.Arbitrary<ObjectValue> {
  const names = fc.uniqueArray(fc.constantFrom("prod", "edge"), { minLength: 1 });
  return fc
    .tuple(config, names)
    .map(([policy, collections]) => ({ ...policy, resources: null, collections }));
}

function scopedPolicy(name: fc.Arbitrary<string>): fc.Arbitrary<ObjectValue> {
  const config = policyConfig(name);
  return fc.oneof(
    { weight: 3, arbitrary: config },
    { weight: 1, arbitrary: byCollections(config) },
  );
}

export const policyConfigs = fc
  .uniqueArray(fc.constantFrom("a", "b", "c", "d", "ä ö"), { maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => scopedPolicy(fc.constant(name)))));

/** Policies of a console: with repeated names, missing members and default policies. */
export const foundPolicies: fc.Arbitrary<CompliancePolicy[]> = fc.array(
  fc.record(
    {
      name: fc.constantFrom("a", "b", "c", "x", "y"),
      owner: fc.constantFrom("system", "somebody"),
      disabled: fc.boolean(),
      verbose: fc.boolean(),
      notes: fc.string({ maxLength: 3 }),
    },
    { requiredKeys: ["name"] },
  ),
  { maxLength: 7 },
);

const text = fc.option(fc.constantFrom("", "one", "two"), { nil: null });
const count = fc.option(fc.integer({ min: 0, max: 5 }), { nil: null });

/** A registry specification of 20.09 and later, as a stack configures it. */
export const specificationConfigs = fc
  .uniqueArray(
    fc.record({
      registry: fc.constantFrom("", "r.example"),
      repository: fc.constantFrom("app", "base/*"),
      tag: fc.constantFrom("", "1.*"),
      cap: count,
      os: text,
      hostname: text,
      namespace: text,
      use_aws_role: flag,
      version: text,
      credential_id: text,
      role_arn: text,
      scanners: count,
      version_pattern: text,
    }),
    {
      maxLength: 4,
      selector: ({ registry, repository, tag }) => `${registry} ${repository} ${tag}`,
    },
  )
  .map((list): ObjectValue[] => list);

export const deploySpecConfigs = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom("one", "two", "three"),
      credential_id: fc.constantFrom("c1", "c2"),
      provider: text,
      runtimes: fc.option(fc.uniqueArray(fc.constantFrom("nodejs", "python", "java")), {
        nil: null,
      }),
      extra_json: fc.option(
        unknownMembers.map((members) => objectText(members)),
        { nil: null },
      ),
    }),
    { maxLength: 3, selector: ({ name }) => name },
  )
  .map((list): ObjectValue[] => list);

/** A serverless scan scope of the next release, as a stack configures it. */
export const scanScopeConfigs = fc
  .uniqueArray(
    fc.record({
      credential_ids: fc.option(
        fc.uniqueArray(fc.constantFrom("c1", "c 2", "c,3"), { maxLength: 3 }),
        { nil: null },
      ),
      provider: text,
      cap: count,
      enabled: flag,
      extra_json: fc.option(
        unknownMembers.map((members) => objectText(members)),
        { nil: null },
      ),
    }),
    {
      maxLength: 4,
      selector: ({ credential_ids: ids, provider }) =>
        JSON.stringify([[...(ids ?? [])].sort(), provider ?? ""]),
    },
  )
  .map((list): ObjectValue[] => list);

/** A resource that manages a collection, and entries that a stack may configure. */
export interface Collection {
  readonly release: Release;
  readonly type: string;
  /** The attribute that holds the entries. */
  readonly list: string;
  readonly entries: fc.Arbitrary<readonly ObjectValue[]>;
}

/** Every collection, with entries like those of its sample. */
export const COLLECTIONS: readonly Collection[] = resources.flatMap((resource) =>
  resource.collection?.kind
    ? [
        {
          type: resource.type,
          release: sampleRelease(resource),
          list: resource.collection.list,
          entries: sampleEntries(resource),
        },
      ]
    : [],
);

/** The default release, or the first with the resource. */
function sampleRelease(resource: ListedResource): Release {
  const releases = releasesWith(resource);
  return releases.find((release) => release === DEFAULT_RELEASE) ?? releases[0] ?? NEWEST_RELEASE;
}

/** Entries like the first one of the sample: each with another key, and without some optional members. */
function sampleEntries({ attributes, collection, sample }: ListedResource) {
  const list = collection?.list ?? "";
  const [entry = {}] = entriesOf(sample, list);
  const { type } = attributes[list] ?? {};
  const review = reviewOf(attributes[list] ?? {});
  const [key = ""] = review?.kind === "entries" ? review.key : [];
  const members = (type && nestedAttributes(type)) ?? {};
  const optional = Object.keys(entry).filter(
    (name) => members[name]?.mode !== "required" && name !== key,
  );
  return fc.subarray(["one", "two", "three"]).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.subarray(optional).map((left): ObjectValue => ({
          ...entry,
          ...Object.fromEntries(left.map((member) => [member, null])),
          [key]: name,
        })),
      ),
    ),
  );
}
