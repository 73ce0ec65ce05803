import * as fc from "fast-check";
import type { JournalRecord } from "../../src/backends/backend";
import { newInstance } from "../../src/core/documents/state";

export const PROVIDER = 'provider["registry.terraform.io/cdktf-console/cwp"]';

/** The record of a created instance. */
export function created(address: string, attributes = {}): JournalRecord {
  return { kind: "instance", address, provider: PROVIDER, instance: newInstance(attributes) };
}

/** The record of an instance that a provider makes during an action. */
export function checkpoint(address: string): JournalRecord {
  const instance = newInstance({});
  return { kind: "instance", address, provider: PROVIDER, instance, checkpoint: true };
}

export function intent(address: string, action = "create"): JournalRecord {
  return { kind: "intent", address, action };
}

const address = fc.constantFrom("t_t.a", "t_t.b[0]", 't_t.b["k"]', "module.m.t_t.a", "data.t_t.a");
const attributes = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue(), { maxKeys: 3 });

/** Any record that an executor may append. */
export const anyRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant("intent" as const),
    address,
    action: fc.constantFrom("create", "update", "delete"),
  }),
  fc.record({
    kind: fc.constant("instance" as const),
    address,
    deposed: fc.option(fc.constantFrom("00000001", "00000002"), { nil: undefined }),
    provider: fc.constant(PROVIDER),
    checkpoint: fc.option(fc.constant(true), { nil: undefined }),
    instance: fc.option(
      fc
        .record({ attributes, bytes: fc.uint8Array({ maxLength: 4, minLength: 1 }) })
        .map((given) => ({
          ...newInstance(JSON.parse(JSON.stringify(given.attributes)) as Record<string, never>, 2),
          private: Buffer.from(given.bytes),
          status: "tainted" as const,
          sensitivePaths: [[{ type: "get_attr" as const, value: "secret" }]],
          dependencies: ["t_t.z"],
          createBeforeDestroy: true,
        })),
    ),
  }),
  fc.record({
    kind: fc.constant("output" as const),
    name: fc.constantFrom("o", "p"),
    output: fc.option(
      fc.record({ value: fc.string(), type: fc.constant("string"), sensitive: fc.boolean() }),
    ),
  }),
);
