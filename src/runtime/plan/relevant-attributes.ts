import { compareStrings } from "../../core/values";
import {
  blockOf,
  formatSubject,
  type Reference,
  referencesIn,
  type ResourceConfig,
  splitKey,
  type StackConfig,
} from "../../language";
import { bodyReferences } from "../graph/configuration";
import { formatAddress } from "../../core/documents/address";
import type {
  OutputChange,
  RelevantAttribute,
  ResourceChange,
} from "../../core/documents/stack-plan";

/** A reference, with the resource of its block: `count.index` leads to its count. */
interface FoundReference {
  readonly reference: Reference;
  readonly block: ResourceConfig | undefined;
}

/**
 * Returns the attributes that led to the changes, transitively, as in Terraform: the references in
 * the blocks of changed resources, and those in the expressions they lead to. Conditions,
 * `depends_on` and `lifecycle` are not followed.
 */
export function relevantAttributes(
  config: StackConfig,
  changes: readonly ResourceChange[],
  outputs: readonly OutputChange[],
): readonly RelevantAttribute[] {
  const relevant = new Map<string, RelevantAttribute>();
  const visited = new Set<string>();
  const pending = [...startingPoints(config, changes, outputs)];
  // `pending` grows during the loop.
  for (const found of pending) {
    const attribute = attributeOf(config, found.reference);
    if (attribute) relevant.set(JSON.stringify(attribute), attribute);
    const key = JSON.stringify([found.reference, found.block?.address]);
    if (visited.has(key)) continue;
    visited.add(key);
    pending.push(...behind(config, found));
  }
  return [...relevant].sort(([a], [b]) => compareStrings(a, b)).map(([, attribute]) => attribute);
}

function startingPoints(
  config: StackConfig,
  changes: readonly ResourceChange[],
  outputs: readonly OutputChange[],
): readonly FoundReference[] {
  const blocks = changes
    .filter(({ action }) => action !== "no-op")
    .flatMap(({ mode, type, name }) => {
      const declared = mode === "data" ? config.dataSources : config.resources;
      return declared.get(formatSubject({ kind: "resource", mode, type, name })) ?? [];
    });
  const expressions = outputs
    .filter(({ action }) => action !== "no-op")
    .flatMap(({ name }) => config.outputs.get(name)?.value ?? []);
  return [
    ...[...new Set(blocks)].flatMap((block) => within(block, bodyReferences(block.body))),
    ...within(undefined, referencesIn(expressions)),
  ];
}

function attributeOf(config: StackConfig, reference: Reference): RelevantAttribute | undefined {
  const block = blockOf(config, reference);
  if (!block) return undefined;
  const { key, path } = splitKey(reference, block);
  return { resource: formatAddress({ ...block, key }), attribute: path };
}

function behind(
  config: StackConfig,
  { reference, block }: FoundReference,
): readonly FoundReference[] {
  const { subject } = reference;
  switch (subject.kind) {
    case "local":
      return within(undefined, referencesIn([config.locals.get(subject.name)]));
    case "count":
    case "each":
      return within(block, referencesIn([block?.count, block?.forEach]));
    case "resource": {
      const target = blockOf(config, reference);
      if (!target) return [];
      const [attribute] = splitKey(reference, target).path;
      const expressions =
        attribute === undefined ? target.body.values() : [target.body.get(String(attribute))];
      return within(target, referencesIn(expressions));
    }
    case "ephemeral":
    case "variable":
    case "path":
    case "workspace":
    case "self":
      return [];
  }
}

function within(
  block: ResourceConfig | undefined,
  references: readonly Reference[],
): readonly FoundReference[] {
  return references.map((reference) => ({ reference, block }));
}
