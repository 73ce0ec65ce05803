import { isRecord } from "../../core/member-of";

/*
 * In Terraform's JSON syntax there may be a list of objects at the root, at each level of the labels
 * of a block, and in the place of its body; members of these objects are merged. cdktf writes one
 * object at each level, which is the form that the readers of blocks expect.
 */

/** The labels of blocks that have some. */
const LABELS: ReadonlyMap<string, number> = new Map([
  ["resource", 2],
  ["data", 2],
  ["ephemeral", 2],
  ["provider", 1],
  ["variable", 1],
  ["output", 1],
  ["check", 1],
  ["module", 1],
]);

/** The blocks inside blocks. Null and an empty list are no block. */
const INNER: ReadonlyMap<string, readonly string[]> = new Map([
  ["resource", ["lifecycle", "connection"]],
  ["data", ["lifecycle"]],
  ["ephemeral", ["lifecycle"]],
  ["lifecycle", ["precondition", "postcondition"]],
  ["variable", ["validation"]],
  ["output", ["precondition"]],
  ["check", ["assert", "data"]],
  ["removed", ["lifecycle"]],
  ["terraform", ["required_providers"]],
]);

/** Blocks whose bodies are merged if they are repeated. */
const MERGED = ["terraform", "locals"];

type Members = Readonly<Record<string, unknown>>;

/** Merges the lists of objects in a configuration. Anything else stays, for the readers to report. */
export function mergeLists(json: unknown): unknown {
  // Not a stack without blocks: everything in its state would be destroyed.
  if (Array.isArray(json) && json.length === 0) return json;
  return mapMembers(mergedByLabel(json), (value, type) =>
    MERGED.includes(type)
      ? withoutEmpty(mergedObjects(value), type)
      : withoutLists(value, type, LABELS.get(type) ?? 0),
  );
}

/** Undefined for a block without a body, which Terraform ignores. */
function withoutLists(value: unknown, type: string, labels: number): unknown {
  if (labels > 0) {
    return mapMembers(mergedByLabel(value), (inner) => withoutLists(inner, type, labels - 1));
  }
  return isNoBlock(value) ? undefined : withoutEmpty(mergedBodies(value), type);
}

/** In a list, a body may be null or a list of objects, which are merged. */
function mergedBodies(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((body) => (body === null ? {} : mergedObjects(body)));
}

/** A body without the inner blocks that are none. */
function withoutEmpty(body: unknown, type: string): unknown {
  const inner = INNER.get(type);
  if (inner === undefined) return body;
  if (Array.isArray(body)) return body.map((one) => withoutEmpty(one, type));
  if (!isRecord(body) || !inner.some((name) => Object.hasOwn(body, name))) return body;
  const members = Object.entries(body).filter(
    ([name, value]) => !(inner.includes(name) && isNoBlock(value)),
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      inner.includes(name) && !MERGED.includes(type)
        ? withoutEmpty(mergedBodies(value), name)
        : value,
    ]),
  );
}

/** In the place of bodies, null and an empty list are no block. */
export function isNoBlock(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Collects the values of each label in a list. */
function mergedByLabel(value: unknown): unknown {
  if (!isListOfObjects(value)) return value;
  const members = new Map<string, unknown[]>();
  for (const [label, inner] of value.flatMap((object) => Object.entries(object))) {
    const all = members.get(label) ?? [];
    members.set(label, all);
    all.push(...(Array.isArray(inner) ? (inner as unknown[]) : [inner]));
  }
  return Object.fromEntries([...members].map(([label, all]) => [label, one(all)]));
}

/** Merges the objects of one body. Those that set a name twice stay a list, which is an error. */
function mergedObjects(value: unknown): unknown {
  if (!isListOfObjects(value)) return value;
  const members = value.flatMap((body) => Object.entries(body).filter(([name]) => name !== "//"));
  const isUnambiguous = new Set(members.map(([name]) => name)).size === members.length;
  return isUnambiguous ? Object.fromEntries(members) : value;
}

function one(list: readonly unknown[]): unknown {
  return list.length === 1 ? list[0] : list;
}

/** Leaves out members without a value, and the object if it has no other. */
function mapMembers(value: unknown, map: (inner: unknown, name: string) => unknown): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value);
  const mapped = members.flatMap(([name, inner]) => {
    const result = map(inner, name);
    return result === undefined ? [] : [[name, result] as const];
  });
  return mapped.length === 0 && members.length > 0 ? undefined : Object.fromEntries(mapped);
}

function isListOfObjects(value: unknown): value is readonly Members[] {
  return Array.isArray(value) && value.every(isRecord);
}
