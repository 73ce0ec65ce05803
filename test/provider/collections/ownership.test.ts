import fc from "fast-check";
import type { CompliancePolicy } from "../../../src/api/bodies";
import {
  isInPosition,
  rewrite,
  split,
  type Ownership,
  type Wanted,
} from "../../../src/provider/collections/ownership";
import { fillDefaults } from "../../../src/core/planning/pipeline";
import { policyCodec } from "../../../src/provider/resources/compliance-policy-codec";
import { compliancePolicySetAttributes } from "../../../src/provider/resources/compliance-policy-set";
import { isListValue, isObjectValue, valuesEqual } from "../../../src/core/values";
import { foundPolicies, policyConfigs } from "../support/arbitraries";
import { complete } from "../support/engine";

/** The planned entries of a configuration. */
const wantedPolicies: fc.Arbitrary<Wanted[]> = policyConfigs.map((policies) => {
  const config = complete(compliancePolicySetAttributes, { policies });
  const attributes = compliancePolicySetAttributes;
  const planned = fillDefaults({ attributes, config, prior: null, planned: config }).policies;
  if (!isListValue(planned)) throw new Error("no list");
  return planned.flatMap((entry) =>
    isObjectValue(entry) ? [{ entry, configured: entry, before: undefined }] : [],
  );
});
const managedKeys = fc.subarray(["a", "b", "c", "gone"]);
const partial = fc.constantFrom<Ownership>("prefix", "suffix", "shared");
const any = fc.constantFrom<Ownership>("exclusive", "prefix", "suffix", "shared");

const namesOf = (items: readonly CompliancePolicy[]) => items.map(({ name }) => name);
const keysOf = (wanted: readonly Wanted[]) =>
  wanted.map(({ entry }) => policyCodec.keyOfEntry(entry));
const write = (
  ownership: Ownership,
  found: readonly CompliancePolicy[],
  managed: readonly string[],
  wanted: readonly Wanted[],
) => rewrite(policyCodec, ownership, { found, managedKeys: managed }, wanted);

const given = [foundPolicies, managedKeys, wantedPolicies] as const;

test("keeps unmanaged items in their order", () => {
  fc.assert(
    fc.property(partial, ...given, (ownership, found, managed, wanted) => {
      const named = new Set([...managed, ...keysOf(wanted)]);
      const strangers = (items: readonly CompliancePolicy[]) =>
        items.filter(({ name }) => !named.has(name));
      const { items } = write(ownership, found, managed, wanted);
      expect(strangers(items)).toEqual(strangers(found));
    }),
  );
});

test("keeps all but one of several items with a managed name", () => {
  fc.assert(
    fc.property(partial, ...given, (ownership, found, managed, wanted) => {
      const { items } = write(ownership, found, managed, wanted);
      for (const name of namesOf(found)) {
        const count = (list: readonly CompliancePolicy[]) =>
          namesOf(list).filter((one) => one === name).length;
        const isWanted = keysOf(wanted).includes(name);
        const isManaged = managed.includes(name);
        expect(count(items)).toBe(count(found) - (isManaged && !isWanted ? 1 : 0));
      }
    }),
  );
});

test("writes managed items at the position of their ownership", () => {
  fc.assert(
    fc.property(any, ...given, (ownership, found, managed, wanted) => {
      const { items } = write(ownership, found, managed, wanted);
      const keys = keysOf(wanted);
      expect(isInPosition(ownership, namesOf(items), keys)).toBe(true);
      const { managed: ours } = split(policyCodec, ownership, items, keys);
      const decoded = keys.map((key) => {
        const item = ours.find(({ name }) => name === key);
        return item && policyCodec.decode(item, undefined);
      });
      expect(decoded).toEqual(wanted.map(({ entry }) => entry));
    }),
  );
});

test("writes exactly the configured items with exclusive ownership", () => {
  fc.assert(
    fc.property(...given, (found, managed, wanted) => {
      const { items } = write("exclusive", found, managed, wanted);
      expect(items.map((item) => policyCodec.decode(item, undefined))).toEqual(
        wanted.map(({ entry }) => entry),
      );
    }),
  );
});

test("changes nothing in a second rewrite", () => {
  fc.assert(
    fc.property(any, ...given, (ownership, found, managed, wanted) => {
      const { items } = write(ownership, found, managed, wanted);
      const again = write(ownership, items, keysOf(wanted), wanted);
      expect(again).toEqual({ items, conflicts: [], displaced: [], withoutSecrets: [] });
    }),
  );
});

test("keeps unmanaged items, finds them equal, or reports a conflict", () => {
  fc.assert(
    fc.property(any, ...given, (ownership, found, managed, wanted) => {
      const { items, conflicts } = write(ownership, found, managed, wanted);
      const ours = split(
        policyCodec,
        ownership === "exclusive" ? "prefix" : ownership,
        found,
        managed,
      ).managed;
      for (const item of found) {
        if (ours.includes(item) || item.owner === "system" || items.includes(item)) continue;
        const entry = wanted.find((one) => one.entry.name === item.name)?.entry;
        const isEqual = entry && valuesEqual(policyCodec.decode(item, undefined), entry);
        const isReported = conflicts.some(({ key }) => key === item.name);
        expect(isEqual === true || isReported).toBe(true);
      }
    }),
  );
});

test("reports conflicts for unmanaged items only", () => {
  fc.assert(
    fc.property(any, ...given, (ownership, found, managed, wanted) => {
      for (const { key } of write(ownership, found, managed, wanted).conflicts) {
        expect(found.some(({ name, owner }) => name === key && owner !== "system")).toBe(true);
      }
    }),
  );
});

describe("by example", () => {
  const items = (...names: readonly string[]): CompliancePolicy[] =>
    names.map((name, at) => ({ name, owner: "somebody", at }));
  const want = (...names: readonly string[]): Wanted[] =>
    names.map((name) => {
      const entry = policyCodec.decode({ name }, undefined);
      return { entry, configured: entry, before: undefined };
    });

  test.each<[Ownership, string[], string[], string[], string[]]>([
    // ownership, found, managed before, wanted, written
    ["exclusive", ["x", "a"], ["x", "a"], ["a", "b"], ["a", "b"]],
    ["prefix", ["x", "a", "y"], ["a"], ["b", "a"], ["b", "a", "x", "y"]],
    ["suffix", ["x", "a", "y"], ["a"], ["b", "a"], ["x", "y", "b", "a"]],
    ["shared", ["x", "a", "y"], ["a"], ["b", "a"], ["x", "a", "y", "b"]],
    ["shared", ["x", "a", "y"], ["a"], [], ["x", "y"]],
    ["prefix", [], ["a"], ["a"], ["a"]],
    // The one at the managed end of two items with a managed name is managed.
    ["prefix", ["a", "x", "a"], ["a"], [], ["x", "a"]],
    ["suffix", ["a", "x", "a"], ["a"], [], ["a", "x"]],
  ])("%s: %j, managed %j, wanted %j → %j", (ownership, found, managed, wanted, expected) => {
    const written = write(ownership, items(...found), managed, want(...wanted));
    expect(namesOf(written.items)).toEqual(expected);
  });

  test.each<[Ownership, string[], unknown]>([
    ["exclusive", ["a", "x"], [{ key: "x", effect: "removed" }]],
    ["prefix", ["a", "x"], []],
    ["shared", ["a", "x"], []],
  ])("reports conflicts of a create as %s over %j", (ownership, found, conflicts) => {
    expect(write(ownership, items(...found), [], want("a")).conflicts).toEqual(conflicts);
  });

  test("reports a conflict for an item that differs from its entry", () => {
    const found = [{ name: "a", owner: "somebody", disabled: true }];
    expect(write("prefix", found, [], want("a")).conflicts).toEqual([
      { key: "a", effect: "overwritten" },
    ]);
    expect(write("prefix", found, ["a"], want("a")).conflicts).toEqual([]);
    expect(
      write("prefix", [{ ...found[0], name: "a", owner: "system" }], [], want("a")).conflicts,
    ).toEqual([]);
  });

  test.each<[Ownership, string[], string[], boolean]>([
    ["exclusive", ["a", "b"], ["a", "b"], true],
    ["exclusive", ["b", "a"], ["a", "b"], false],
    ["exclusive", ["a", "b", "x"], ["a", "b"], false],
    ["prefix", ["a", "b", "x"], ["a", "b"], true],
    ["prefix", ["a", "x", "b"], ["a", "b"], false],
    ["prefix", ["x"], [], true],
    ["suffix", ["x", "a", "b"], ["a", "b"], true],
    ["suffix", ["a", "b", "x"], ["a", "b"], false],
    ["suffix", ["b"], ["a", "b"], false],
    ["suffix", ["x"], [], true],
    ["shared", ["b", "x", "a"], ["a", "b"], true],
  ])("%s: finds position of %j for %j: %p", (ownership, found, keys, expected) => {
    expect(isInPosition(ownership, found, keys)).toBe(expected);
  });
});
