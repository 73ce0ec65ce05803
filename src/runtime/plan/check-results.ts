import { compareStrings } from "../../core/values";
import type { StackConfig } from "../../language";
import type { CheckStatus, ConditionResult } from "../evaluation/conditions";
import type { Json } from "../../core/documents/state-value";

/** `data`: the read of the data source of a check. */
export type ConditionKind = "precondition" | "postcondition" | "validation" | "assert" | "data";

interface CheckedBlock {
  readonly kind: "var" | "output" | "resource" | "check";
  /** The number of conditions of an object. */
  readonly conditions: number;
  /** The results by object. Undefined while the objects are not known. */
  readonly objects?: ReadonlyMap<string, ObjectResults>;
}

type ObjectResults = ReadonlyMap<ConditionKind, readonly ConditionResult[]>;

const NONE: ObjectResults = new Map();

/** The results of all conditions of a stack, as its state keeps them. */
export class CheckResults {
  private constructor(private readonly blocks: Map<string, CheckedBlock>) {}

  /** No condition is evaluated yet, and the objects are not known either. */
  static of({ variables, outputs, resources, dataSources, checks }: StackConfig): CheckResults {
    const blocks = new Map<string, CheckedBlock>();
    for (const { name, validations } of variables.values()) {
      if (validations.length === 0) continue;
      blocks.set(`var.${name}`, { kind: "var", conditions: validations.length });
    }
    for (const { name, preconditions } of outputs.values()) {
      const address = `output.${name}`;
      if (preconditions.length === 0) continue;
      blocks.set(address, { kind: "output", conditions: preconditions.length });
    }
    for (const { address, lifecycle } of [...resources.values(), ...dataSources.values()]) {
      const conditions = lifecycle.preconditions.length + lifecycle.postconditions.length;
      if (conditions > 0) blocks.set(address, { kind: "resource", conditions });
    }
    for (const { name, assertions, reads } of checks.values()) {
      const conditions = assertions.length + (reads ? 1 : 0);
      blocks.set(`check.${name}`, { kind: "check", conditions });
    }
    return new CheckResults(blocks);
  }

  /** Returns the same objects, with no condition evaluated: the start of an apply. */
  restarted(): CheckResults {
    return new CheckResults(
      new Map(
        [...this.blocks].map(([address, { objects, ...block }]) => {
          const same = objects && new Map([...objects.keys()].map((object) => [object, NONE]));
          return [address, { ...block, ...(same && { objects: same }) }];
        }),
      ),
    );
  }

  /** Sets the objects of a block: those whose conditions will be evaluated. */
  expect(address: string, objects: readonly string[]): void {
    const block = this.blocks.get(address);
    if (!block) return;
    const known = new Map(objects.map((object) => [object, block.objects?.get(object) ?? NONE]));
    this.blocks.set(address, { ...block, objects: known });
  }

  /** Records results of conditions of an object. */
  record(
    address: string,
    object: string,
    kind: ConditionKind,
    results: readonly ConditionResult[],
  ): void {
    const block = this.blocks.get(address);
    if (!block) return;
    const others = block.objects?.get(object) ?? NONE;
    const objects = new Map(block.objects).set(object, new Map(others).set(kind, results));
    this.blocks.set(address, { ...block, objects });
  }

  /** Reports whether a condition of an object has failed. */
  fails(address: string, object: string): boolean {
    const results = [...(this.blocks.get(address)?.objects?.get(object)?.values() ?? [])].flat();
    return results.some(({ status }) => status === "fail" || status === "error");
  }

  /** Encodes the results in the format of the state; null where there are no conditions. */
  encode(): Json {
    if (this.blocks.size === 0) return null;
    return [...this.blocks]
      .sort(([a], [b]) => compareStrings(a, b))
      .map(([address, block]) => encodeBlock(address, block));
  }
}

function encodeBlock(address: string, { kind, conditions, objects }: CheckedBlock): Json {
  const encoded = [...(objects ?? [])].map(([object, byKind]) => {
    const results = [...byKind.values()].flat();
    const messages = results.flatMap(({ message }) => message ?? []).sort(compareStrings);
    const missing = results.length < conditions ? (["unknown"] as const) : [];
    return {
      object_addr: object,
      status: statusOf([...results.map(({ status }) => status), ...missing]),
      ...(messages.length > 0 && { failure_messages: messages }),
    };
  });
  return {
    object_kind: kind,
    config_addr: address,
    status: objects ? statusOf(encoded.map(({ status }) => status)) : "unknown",
    objects: encoded.length > 0 ? encoded : null,
  };
}

/** The strongest status; `pass` if there are none. */
function statusOf(statuses: readonly CheckStatus[]): CheckStatus {
  const order = ["error", "fail", "unknown"] as const;
  return order.find((status) => statuses.includes(status)) ?? "pass";
}
