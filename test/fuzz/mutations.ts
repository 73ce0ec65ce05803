/** Draws mutations of valid inputs from a seed. The same seed gives the same mutations. */
export class Mutations {
  /** The last mutated inputs, to be reported. */
  readonly inputs: string[] = [];
  #state: number;

  /** @param record Called with each mutated input. */
  constructor(
    seed: string,
    private readonly record: (input: string) => void = () => undefined,
  ) {
    this.#state = 0;
    for (const unit of seed)
      this.#state = Math.imul(this.#state ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }

  /** A number from 0 up to but excluding 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }

  /** Mutates a JSON value; the text may be no JSON any more. */
  json(value: unknown): string {
    const text = this.jsonTree(value);
    return this.#keep(this.chance(0.15) ? this.#bytesOf(text).toString("utf8") : text);
  }

  /** Mutates a JSON value; the text is valid JSON. */
  jsonTree(value: unknown): string {
    const root: ListTree = { kind: "list", items: [treeOf(value)] };
    for (let count = 1 + this.below(3); count > 0; count--) this.#mutateTree(root);
    const [only = NULL] = root.items;
    return format(only);
  }

  /** Mutates text by its words and signs. */
  text(text: string): string {
    if (this.chance(0.15)) return this.#keep(this.#bytesOf(text).toString("utf8"));
    const tokens = text.match(/\w+|\s+|[^\w\s]/g) ?? [""];
    for (let count = 1 + this.below(3); count > 0; count--) {
      const at = this.below(tokens.length);
      const other = tokens[this.below(tokens.length)] ?? "";
      switch (this.below(6)) {
        case 0:
          tokens.splice(at, 1 + this.below(4));
          break;
        case 1:
          tokens.splice(at, 0, other);
          break;
        case 2:
          tokens[at] = other;
          break;
        case 3:
          tokens[at] = this.pick(TOKENS);
          break;
        case 4:
          tokens.splice(at, 0, this.pick(TOKENS));
          break;
        default: {
          const [open, close = ""] = this.pick(BRACKETS);
          const levels = this.pick([2, 300, 30_000]);
          tokens.splice(
            at,
            0,
            open.repeat(levels),
            ...(this.chance(0.5) ? [close.repeat(levels)] : []),
          );
        }
      }
      if (tokens.length === 0) tokens.push("");
    }
    return this.#keep(tokens.join(""));
  }

  /** Flips, cuts, inserts and repeats bytes. */
  bytes(bytes: Uint8Array): Buffer {
    const mutated = this.#bytesOf(bytes);
    this.#keep(mutated.toString("latin1"));
    return mutated;
  }

  #bytesOf(input: Uint8Array | string): Buffer {
    let bytes = Buffer.from(input as Uint8Array);
    for (let count = 1 + this.below(4); count > 0; count--) {
      const at = this.below(bytes.length + 1);
      const end = Math.min(bytes.length, at + 1 + this.below(16));
      switch (this.below(6)) {
        case 0:
          if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << this.below(8));
          break;
        case 1:
          if (at < bytes.length) bytes[at] = this.pick([0, 0x7f, 0x80, 0xff, 0x0a, 0x22, 0x5c]);
          break;
        case 2:
          bytes = bytes.subarray(0, at);
          break;
        case 3:
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
          break;
        case 4:
          bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
          break;
        default: {
          const inserted = Buffer.alloc(1 + this.below(8), this.below(256));
          bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
        }
      }
    }
    return Buffer.from(bytes);
  }

  #mutateTree(root: ListTree): void {
    if (root.items.length === 0) root.items.push(NULL);
    const slots = slotsOf(root);
    const slot = this.pick(slots);
    const other = this.pick(slots);
    switch (this.below(9)) {
      case 0:
        slot.remove();
        break;
      case 1:
        slot.duplicate();
        break;
      case 2:
        slot.rename(this.chance(0.5) ? this.pick(NAMES) : (other.name ?? this.pick(NAMES)));
        break;
      case 3: {
        // A subtree may get into itself, so both are copied.
        const [one, two] = [structuredClone(slot.get()), structuredClone(other.get())];
        slot.set(two);
        other.set(one);
        break;
      }
      case 4:
        slot.set(structuredClone(other.get()));
        break;
      case 5: {
        const [open, close] = this.pick(NESTING);
        const levels = this.pick([3, 150, 250, 5_000, 50_000]);
        slot.set({ kind: "raw", text: `${open.repeat(levels)}1${close.repeat(levels)}` });
        break;
      }
      case 6:
        slot.set({ kind: "raw", text: this.pick(NUMBERS) });
        break;
      case 7:
        slot.set({ kind: "raw", text: JSON.stringify(this.pick(STRINGS)) });
        break;
      default:
        slot.set({ kind: "raw", text: this.pick(["null", "true", "false", "[]", "{}", '""']) });
    }
  }

  #keep(input: string): string {
    this.inputs.push(input);
    this.record(input);
    return input;
  }
}

interface ListTree {
  readonly kind: "list";
  readonly items: Tree[];
}

type Tree =
  | ListTree
  | { readonly kind: "object"; readonly members: { name: string; value: Tree }[] }
  /** Written unchanged. */
  | { readonly kind: "raw"; readonly text: string };

const NULL: Tree = { kind: "raw", text: "null" };

/** A place in a tree. */
interface Slot {
  readonly name?: string;
  get(): Tree;
  set(tree: Tree): void;
  remove(): void;
  duplicate(): void;
  rename(name: string): void;
}

function slotsOf(tree: Tree): readonly Slot[] {
  if (tree.kind === "list") {
    const { items } = tree;
    return items.flatMap((item, index) => [
      {
        get: () => items[index] ?? NULL,
        set: (one) => void (items[index] = one),
        remove: () => void items.splice(index, 1),
        duplicate: () => void items.splice(index, 0, structuredClone(items[index] ?? NULL)),
        rename: () => void items.push(NULL),
      },
      ...slotsOf(item),
    ]);
  }
  if (tree.kind === "raw") return [];
  const { members } = tree;
  return members.flatMap((member) => [
    {
      name: member.name,
      get: () => member.value,
      set: (one) => void (member.value = one),
      remove: () => void members.splice(members.indexOf(member), 1),
      duplicate: () => void members.push(structuredClone(member)),
      rename: (name) => void (member.name = name),
    },
    ...slotsOf(member.value),
  ]);
}

function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: "list", items: value.map(treeOf) };
  if (typeof value !== "object" || value === null) {
    return { kind: "raw", text: JSON.stringify(value) };
  }
  const members = Object.entries(value).map(([name, one]) => ({ name, value: treeOf(one) }));
  return { kind: "object", members };
}

function format(tree: Tree): string {
  if (tree.kind === "raw") return tree.text;
  if (tree.kind === "list") return `[${tree.items.map(format).join(",")}]`;
  const members = tree.members.map(({ name, value }) => `${JSON.stringify(name)}:${format(value)}`);
  return `{${members.join(",")}}`;
}

const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "",
  "0",
  "a.b",
  "//",
  "\u0000",
  "\ud800",
  "é",
];

const NUMBERS = [
  "1e400",
  "-1e400",
  "1e-400",
  "-0",
  "-1",
  "0.1",
  "1e21",
  "9007199254740993",
  "123456789012345678901234567890",
  "1.7976931348623157e308",
  "4294967296",
  "253402300800000",
  "1e999999999",
];

const STRINGS = [
  "",
  "__proto__",
  "constructor",
  "\u0000",
  "\ud800",
  "\u202eevil",
  "a\nb\u001b[31m",
  "${",
  "%{",
  "${1/0}",
  "${var.missing}",
  "${[for x in range(1000) : x]}",
  "../../../etc/passwd",
  "0000-00-00",
  "9999-99-99T99:99:99Z",
  "+275760-09-14T00:00:00Z",
  "1e400",
  "NaN",
  "*".repeat(200),
  "x".repeat(100_000),
  "é".repeat(1000),
];

const TOKENS = [
  "${",
  "%{",
  "}",
  "\\",
  '"',
  "<<EOT\n",
  "*",
  "...",
  "=>",
  "1e400",
  "9".repeat(400),
  "__proto__",
  "null",
  "\n",
  "\u0000",
  "\ud800",
  "-",
  "[*]",
  ".*",
  "for",
  "if",
  "?",
  ":",
  ",",
  "x".repeat(20_000),
];

const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["${", "}"],
  ["-", ""],
  ["!", ""],
  ["%{if true}", "%{endif}"],
] as const;

const NESTING = [
  ["[", "]"],
  ['{"a":', "}"],
  ['{"name":', "}"],
] as const;
