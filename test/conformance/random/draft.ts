import type { StackJson } from "../../cli/stack-files";
import { consoleBlock, stackOf } from "../support/stacks";

export type Type = "string" | "number" | "bool" | "strings" | "map" | "any";

/** An expression, without `${}`, that others may contain. */
export interface Operand {
  readonly text: string;
  readonly type: Type;
  /** False where it may be known after the apply only. */
  readonly known: boolean;
  readonly sensitive: boolean;
  readonly ephemeral?: boolean;
}

/** A stack that grows by parts: what each part offers, later ones may refer to. */
export class Draft {
  readonly #blocks = new Map<string, Map<string, unknown>>();
  readonly #lists = new Map<string, object[]>();
  readonly operands: Operand[] = [];
  /** Addresses of resources, without keys. */
  readonly resources: string[] = [];
  /** An attribute of each resource that has one object: `null_resource.a.id`. */
  readonly singles = new Map<string, string>();
  /** The names of the features that the stack has. */
  readonly features = new Set<string>();
  /** True where each of the engines may order the removal of collections in its way. */
  createsFirst = false;

  /** Adds a block: `resource`, `null_resource`, `a`, or `output`, `a`. */
  add(kind: string, labels: readonly string[], body: unknown): void {
    const members = this.#blocks.get(kind) ?? new Map<string, unknown>();
    this.#blocks.set(kind, members);
    members.set(labels.join("."), body);
    this.features.add(kind);
  }

  /** Adds a block without a label: `moved`, `removed`, `import`. */
  append(kind: string, body: object): void {
    this.#lists.set(kind, [...(this.#lists.get(kind) ?? []), body]);
    this.features.add(kind);
  }

  has(kind: string, label: string): boolean {
    return this.#blocks.get(kind)?.has(label) === true;
  }

  offer(...operands: readonly Operand[]): void {
    this.operands.push(...operands);
  }

  /** Notes a feature, and returns the value that has it. */
  with<T>(feature: string, value: T): T {
    this.features.add(feature);
    return value;
  }

  stack(): StackJson {
    const nested = [...this.#blocks].map(([kind, members]) => [kind, nest(members)] as const);
    const { resource = {}, ...more } = Object.fromEntries(nested) as Record<string, StackJson>;
    return stackOf(resource, {
      ...more,
      ...Object.fromEntries(this.#lists),
      provider: { cwp: [consoleBlock(1, { max_retries: 0 })] },
    });
  }
}

function nest(members: ReadonlyMap<string, unknown>): StackJson {
  const nested: StackJson = {};
  for (const [label, body] of members) {
    const [type = "", name] = label.split(".");
    if (name === undefined) nested[type] = body;
    else nested[type] = { ...(nested[type] as object | undefined), [name]: body };
  }
  return nested;
}
