import type { StackJson } from "../../cli/stack-files";
import { Draw } from "../random/draw";
import type { RandomStep } from "../random/step";
import type { Request } from "../support/engine";

/** A resource of a generated stack. */
interface Item {
  readonly name: string;
  readonly type: "null_resource" | "terraform_data";
  /** A change replaces the objects. */
  readonly version: number;
  /** A change updates the objects. */
  readonly note: number;
  readonly count: number | undefined;
  readonly createsFirst: boolean;
  /** Earlier resources, with the way in which it depends on them. */
  readonly needs: readonly (readonly [name: string, way: Way])[];
  readonly provisions: readonly ("create" | "destroy")[];
}

const WAYS = ["replaced", "updated", "ordered", "triggered"] as const;
type Way = (typeof WAYS)[number];

/**
 * Generates sequence `index` of a seed: a first apply, one to three applies that fail, and one in
 * which nothing fails.
 */
export function generate(seed: number, index: number): readonly RandomStep[] {
  const draw = new Draw(seed + Math.imul(index, 0x9e3779b1));
  let items: readonly Item[] = [];
  const size = 2 + draw.below(4);
  for (let count = 0; count < size; count++) items = [...items, newItem(items, draw)];
  const steps: RandomStep[] = [stepOf(items, draw.chance(0.3) ? failuresOf(items, draw) : [])];
  const failures = 1 + draw.below(3);
  for (let count = 0; count < failures; count++) {
    items = draw.chance(0.75) ? edit(items, draw) : items;
    steps.push({ ...stepOf(items, failuresOf(items, draw)), ...surroundings(items, draw) });
  }
  return [...steps, stepOf(items, [])];
}

function newItem(items: readonly Item[], draw: Draw): Item {
  const number = 1 + Math.max(0, ...items.map(({ name }) => Number(name.slice(1))));
  return {
    name: `r${number}`,
    type: draw.chance(0.8) ? "null_resource" : "terraform_data",
    version: 1,
    note: 1,
    count: draw.chance(0.2) ? 1 + draw.below(2) : undefined,
    createsFirst: draw.chance(0.45),
    needs: draw.some(items, 0, 2).map(({ name }) => [name, draw.of(WAYS)] as const),
    provisions: draw.some(["create", "destroy"] as const),
  };
}

/** Changes, adds and removes one to three resources. */
function edit(items: readonly Item[], draw: Draw): readonly Item[] {
  let edited = items;
  const edits = 1 + draw.below(3);
  for (let count = 0; count < edits; count++) {
    const one = draw.of(edited.length > 0 ? edited : [newItem(edited, draw)]);
    const change = (changed: Partial<Item>) =>
      edited.map((other) => (other === one ? { ...one, ...changed } : other));
    edited = draw.weighted([
      [5, () => change({ version: one.version + 1 })],
      [2, () => change({ note: one.note + 1 })],
      [1, () => change({ createsFirst: !one.createsFirst })],
      [1, () => change({ count: one.count === undefined ? 2 : one.count === 2 ? 1 : undefined })],
      [1, () => change({ needs: one.needs.slice(1) })],
      [1, () => [...edited, newItem(edited, draw)]],
      [1, () => without(edited, one)],
    ])();
  }
  return edited;
}

function without(items: readonly Item[], { name: removed }: Item): readonly Item[] {
  return items
    .filter(({ name }) => name !== removed)
    .map((one) => ({ ...one, needs: one.needs.filter(([name]) => name !== removed) }));
}

/** One or two operations or provisioners that fail. */
function failuresOf(items: readonly Item[], draw: Draw): readonly string[] {
  if (items.length === 0) return [];
  return Array.from({ length: 1 + draw.below(2) }, () => {
    const { name, type, provisions } = draw.of(items);
    const operations = type === "null_resource" ? ["create", "update", "delete"] : [];
    const own = [...provisions.map((when) => `provisioner of ${when}`), ...operations];
    return own.length === 0 ? `create ${name}` : `${draw.of(own)} ${name}`;
  });
}

function stepOf(items: readonly Item[], failing: readonly string[]): RandomStep {
  const resource: Record<string, StackJson> = {};
  for (const item of items) {
    resource[item.type] = { ...resource[item.type], [item.name]: blockOf(item, items, failing) };
  }
  return { stack: { resource }, failing, ordered: true };
}

function blockOf(item: Item, items: readonly Item[], failing: readonly string[]): StackJson {
  const { name, type, version, note, count, createsFirst, provisions } = item;
  const needs = item.needs.flatMap(([needed, way]) => {
    const other = items.find((one) => one.name === needed);
    return other ? [{ way, address: `${other.type}.${needed}`, other }] : [];
  });
  const by = (wanted: Way) => needs.filter(({ way }) => way === wanted);
  const ids = by("replaced").map(
    ({ address, other }) => [other.name, `\${${valueOf(address, "id", other)}}`] as const,
  );
  const notes = by("updated").map(({ address, other }) => valueOf(address, noteOf(other), other));
  const text = [`${note}`, ...notes.map((value) => `\${jsonencode(${value})}`)].join(" ");
  const triggers = { name, version: `${version}`, ...Object.fromEntries(ids) };
  const provisioner = provisions.map((when) => ({
    "local-exec": {
      command: failing.includes(`provisioner of ${when} ${name}`) ? "exit 1" : "exit 0",
      ...(when === "destroy" && { when }),
    },
  }));
  return {
    ...(count !== undefined && { count }),
    ...(type === "null_resource"
      ? { triggers, note: text }
      : { triggers_replace: triggers, input: text }),
    depends_on: by("ordered").map(({ address }) => address),
    lifecycle: {
      create_before_destroy: createsFirst,
      replace_triggered_by: by("triggered").map(({ address }) => address),
    },
    ...(provisioner.length > 0 && { provisioner }),
  };
}

function noteOf({ type }: Item): string {
  return type === "null_resource" ? "note" : "output";
}

/** The attribute of one object, or of all objects of a block with `count`. */
function valueOf(address: string, attribute: string, { count }: Item): string {
  if (count === undefined) return `${address}.${attribute}`;
  return `join(",", ${address}[*].${attribute})`;
}

/** Commands before the plan, and its options. */
function surroundings(items: readonly Item[], draw: Draw): Partial<RandomStep> {
  const address = () => {
    const { type, name, count } = draw.of(items);
    return `${type}.${name}${count !== undefined && draw.chance(0.7) ? "[0]" : ""}`;
  };
  if (items.length === 0) return {};
  const command = draw.weighted([
    [8, undefined],
    [2, "taint"],
    [1, "untaint"],
    [1, "state rm"],
  ] as const);
  const request = draw.weighted<Request>([
    [10, {}],
    [3, { targets: [address()] }],
    [2, { replace: [address()] }],
    [1, { mode: "destroy" }],
    [1, { mode: "destroy", targets: [address()] }],
  ]);
  return {
    ...(command !== undefined && { attempts: [`${command} ${address()}`] }),
    ...(Object.keys(request).length > 0 && { request }),
  };
}
