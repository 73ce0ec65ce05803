import { fold } from "../../src/backends/recovery";
import { findInstance } from "../../src/backends/state/instances";
import { listAddresses } from "./state/list-addresses";
import { parseAddress } from "../../src/core/documents/address";
import { emptyState, newInstance } from "../../src/core/documents/state";
import { created, intent, PROVIDER } from "./records";

const start = fold(emptyState("l"), [created("t_t.a", { id: "a" })]).state;

test("does not change the state without records", () => {
  expect(fold(start, [])).toEqual({ state: start, interrupted: [] });
});

test("applies the last record of an address", () => {
  const { state } = fold(start, [
    created("t_t.b[0]", { id: 1 }),
    created("t_t.b[0]", { id: 2 }),
    { kind: "instance", address: "t_t.a", provider: PROVIDER, instance: null },
  ]);
  expect(listAddresses(state)).toEqual(["t_t.b[0]"]);
  expect(findInstance(state, parseAddress("t_t.b[0]")!)?.attributes).toEqual({ id: 2 });
});

test("names actions that started and did not end", () => {
  const { interrupted } = fold(start, [
    intent("t_t.a", "update"),
    intent("t_t.b"),
    intent("t_t.c"),
    created("t_t.b"),
    { kind: "instance", address: "t_t.a", provider: PROVIDER, instance: null },
  ]);
  expect(interrupted).toEqual([{ address: "t_t.c", action: "create" }]);
});

test("keeps a checkpoint's object, and its intent open", () => {
  const snapshot = { ...newInstance({ id: "p" }), private: Buffer.from("before") };
  const { state, interrupted } = fold(start, [
    intent("t_t.p"),
    {
      kind: "instance",
      address: "t_t.p",
      provider: PROVIDER,
      instance: snapshot,
      checkpoint: true,
    },
  ]);
  expect(findInstance(state, parseAddress("t_t.p")!)?.private).toEqual(Buffer.from("before"));
  expect(interrupted).toEqual([{ address: "t_t.p", action: "create" }]);
});

test("deposes an object, and removes it", () => {
  const deposed = {
    kind: "instance" as const,
    address: "t_t.a",
    deposed: "0a0b0c0d",
    provider: PROVIDER,
  };
  const replaced = fold(start, [
    { ...deposed, instance: newInstance({ id: "a" }) },
    created("t_t.a", { id: "new" }),
  ]).state;
  const at = parseAddress("t_t.a")!;
  expect(findInstance(replaced, at)?.attributes).toEqual({ id: "new" });
  expect(findInstance(replaced, at, "0a0b0c0d")?.attributes).toEqual({ id: "a" });
  const { state } = fold(replaced, [{ ...deposed, instance: null }]);
  expect(state.resources[0]?.instances).toHaveLength(1);
});

test("sets and removes outputs", () => {
  const output = { value: "v", type: "string", sensitive: false };
  const set = fold(start, [{ kind: "output", name: "o", output }]).state;
  expect(set.outputs).toEqual({ o: output });
  expect(fold(set, [{ kind: "output", name: "o", output: null }]).state.outputs).toEqual({});
});
