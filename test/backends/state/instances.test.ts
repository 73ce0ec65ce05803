import * as fc from "fast-check";
import {
  formatAddress,
  parseAddress,
  type InstanceAddress,
} from "../../../src/core/documents/address";
import { findInstance, listInstances, setInstance } from "../../../src/backends/state/instances";
import { changed } from "../../../src/backends/state/mutable-state";
import {
  emptyState,
  newInstance,
  versionToWrite,
  type OutputState,
  type State,
} from "../../../src/core/documents/state";
import { sameContent } from "../../../src/formats/state-file/write";
import { listAddresses } from "./list-addresses";

const at = (text: string) => parseAddress(text)!;
const object = (id: string) => newInstance({ id });
const provider = 'provider["registry.terraform.io/cdktf-console/cwp"]';

const removeInstance = (state: State, address: InstanceAddress, deposed?: string) =>
  changed(state, (present) => {
    present.remove(address, deposed);
  });
const renameInstance = (state: State, from: InstanceAddress, to: InstanceAddress) =>
  changed(state, (present) => {
    present.rename(from, to);
  });
const setOutput = (state: State, name: string, output: OutputState | null) =>
  changed(state, (present) => {
    present.setOutput(name, output);
  });

const two = setInstance(
  setInstance(emptyState(), at("t_t.n[0]"), provider, object("zero")),
  at("t_t.n[1]"),
  provider,
  object("one"),
);

test("finds objects at their address only", () => {
  expect(findInstance(two, at("t_t.n[1]"))?.attributes).toEqual({ id: "one" });
  for (const elsewhere of [
    "t_t.n",
    't_t.n["1"]',
    "data.t_t.n[1]",
    "module.m.t_t.n[1]",
    "t_t.o[1]",
  ]) {
    expect(findInstance(two, at(elsewhere))).toBeUndefined();
  }
});

test("replaces the object at the address", () => {
  const changed = setInstance(two, at("t_t.n[1]"), `${provider}.west`, object("new"));
  expect(listAddresses(changed)).toEqual(["t_t.n[0]", "t_t.n[1]"]);
  expect(findInstance(changed, at("t_t.n[1]"))?.attributes).toEqual({ id: "new" });
  expect(changed.resources[0]?.provider).toBe(`${provider}.west`);
  expect(findInstance(two, at("t_t.n[1]"))?.attributes).toEqual({ id: "one" });
});

test("keeps a deposed object next to the current one", () => {
  const deposed = { ...object("old"), deposed: "00000001" };
  const both = setInstance(two, at("t_t.n[0]"), provider, deposed);
  expect(findInstance(both, at("t_t.n[0]"))?.attributes).toEqual({ id: "zero" });
  expect(findInstance(both, at("t_t.n[0]"), "00000001")?.attributes).toEqual({ id: "old" });
  expect(listInstances(both).map(({ instance }) => instance.deposed)).toEqual([
    undefined,
    "00000001",
    undefined,
  ]);
  expect(removeInstance(both, at("t_t.n[0]"), "00000001")).toEqual(two);
});

test("removes a resource with its last object", () => {
  const none = removeInstance(removeInstance(two, at("t_t.n[0]")), at("t_t.n[1]"));
  expect(none.resources).toEqual([]);
  expect(removeInstance(none, at("t_t.n"))).toBe(none);
});

test("moves an object with its deposed ones, also into and out of a key", () => {
  const both = setInstance(two, at("t_t.n[0]"), provider, {
    ...object("old"),
    deposed: "00000001",
  });
  const moved = renameInstance(both, at("t_t.n[0]"), at("module.m.t_t.x"));
  expect(listAddresses(moved)).toEqual(["t_t.n[1]", "module.m.t_t.x"]);
  expect(findInstance(moved, at("module.m.t_t.x"), "00000001")?.attributes).toEqual({ id: "old" });
  expect(moved.resources.map((resource) => resource.provider)).toEqual([provider, provider]);
  expect(sameContent(renameInstance(moved, at("module.m.t_t.x"), at("t_t.n[0]")), both)).toBe(true);
});

test("has the same content after setting and removing in any order", () => {
  const address = fc
    .record({ name: fc.constantFrom("a", "b"), key: fc.constantFrom(undefined, 0, 1, "k") })
    .map(({ name, key }) => formatAddress({ mode: "managed", type: "t_t", name, key }));
  fc.assert(
    fc.property(fc.uniqueArray(address), fc.uniqueArray(address), (addresses, extra) => {
      const set = (state: typeof two, text: string) =>
        setInstance(state, at(text), provider, object(text));
      const state = addresses.reduce(set, emptyState());
      expect(sameContent(addresses.toReversed().reduce(set, emptyState()), state)).toBe(true);

      const added = extra.filter((text) => !addresses.includes(text));
      const back = added.reduce(
        (current, text) => removeInstance(current, at(text)),
        added.reduce(set, state),
      );
      expect(sameContent(back, state)).toBe(true);
      if (added.length > 0) expect(sameContent(added.reduce(set, state), state)).toBe(false);
    }),
  );
});

test("has other content after any change of one object", () => {
  const replaced = (provider: string, id: string) =>
    setInstance(two, at("t_t.n[1]"), provider, object(id));
  expect(sameContent(two, replaced(provider, "one"))).toBe(true);
  expect(sameContent(two, replaced(provider, "new"))).toBe(false);
  expect(sameContent(two, replaced(`${provider}.west`, "one"))).toBe(false);
  expect(sameContent(two, renameInstance(two, at("t_t.n[1]"), at("t_t.n[2]")))).toBe(false);
});

test("excludes serial, lineage and the writing program from the content", () => {
  const written = { ...two, serial: 7, lineage: "l", terraformVersion: "1.12.0" };
  expect(sameContent(two, written)).toBe(true);
  expect(sameContent(two, { ...two, checkResults: [] })).toBe(false);
});

test("sets and removes outputs", () => {
  const output = { value: 1, type: "number", sensitive: true };
  expect(setOutput(two, "o", output).outputs).toEqual({ o: output });
  expect(setOutput(setOutput(two, "o", output), "o", null)).toEqual(two);
});

test.each([
  ["", "1.11.0"],
  ["0.12.31", "1.11.0"],
  ["1.9.8", "1.11.0"],
  ["1.11.0", "1.11.0"],
  ["1.11.4", "1.11.4"],
  ["1.12.0-beta1", "1.12.0-beta1"],
  ["2.0.0", "2.0.0"],
])("over a state of version %p stands version %s", (present, written) => {
  expect(versionToWrite(present)).toBe(written);
});

test("merges the objects of a resource that a state lists twice", () => {
  const [resource] = two.resources;
  const [zero, one] = resource!.instances;
  const split = {
    ...two,
    resources: [zero, one].map((each) => ({ ...resource!, instances: [each!] })),
  };
  const changedTwice = setInstance(split, at("t_t.n[2]"), provider, object("two"));
  expect(listAddresses(changedTwice)).toEqual(["t_t.n[0]", "t_t.n[1]", "t_t.n[2]"]);
});

test("keeps resources that do not change", () => {
  const both = setInstance(two, at("t_t.other"), provider, object("other"));
  const [first, second] = both.resources;
  const after = setInstance(both, at("t_t.other"), provider, object("changed"));
  expect(after.resources[0]).toBe(first);
  expect(after.resources[1]).not.toBe(second);
  expect(removeInstance(both, at("t_t.n[0]")).resources[1]).toBe(second);
});
