import fc from "fast-check";
import { registryScanAttributes } from "../../../src/provider/resources/registry-scan";
import { UNKNOWN, type Value } from "../../../src/core/values";
import { diffEntries } from "../../../src/review/entries/compare-entries";
import { kindOfChange } from "../../../src/review/entries/entries-diff";
import { policy, policyChange, resourceChange, type Policy } from "./changes";

const diff = (before: Value | undefined, after: Value | undefined) =>
  diffEntries(policyChange(before, after))[0]!;
const named = (...names: string[]) => names.map((name) => policy(name));

const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i"), {
  maxLength: 10,
});

test("finds moves that turn the list before into the list after", () => {
  fc.assert(
    fc.property(names, names, (before, after) => {
      const { entries } = diff(named(...before), named(...after));
      const list = entries
        .filter((entry) => kindOfChange(entry) !== "added" && kindOfChange(entry) !== "removed")
        .filter(({ moved }) => !moved)
        .sort((a, b) => a.from! - b.from!)
        .map(({ name }) => name);
      const inserted = entries.filter(({ from, moved }) => from === undefined || moved);
      for (const { name, to } of inserted.sort((a, b) => a.to! - b.to!)) list.splice(to!, 0, name);
      expect(list).toEqual(after);
    }),
  );
});

test("treats a repeated name as two policies", () => {
  const { entries } = diff(named("a", "a"), named("a", "b", "a"));
  expect(entries.map((entry) => [entry.name, kindOfChange(entry), entry.moved])).toEqual([
    ["a", "unchanged", false],
    ["b", "added", false],
    ["a", "unchanged", false],
  ]);
});

const members = (before: Omit<Policy, "name">, after: Omit<Policy, "name">) =>
  diff([policy("p", before)], [policy("p", after)]).entries[0]!.members;

describe("values that are not known yet", () => {
  test.each<[string, Omit<Policy, "name">]>([
    ["a flag", { disabled: UNKNOWN }],
    ["all checks", { checks: UNKNOWN }],
    ["a check", { checks: { "41": UNKNOWN } }],
    ["a scope", { resources: { hosts: UNKNOWN } }],
    ["an element of a scope", { resources: { hosts: ["a", UNKNOWN] } }],
  ])("%s is reported", (_, after) => {
    const [change, ...others] = members({}, after);
    expect(others).toEqual([]);
    expect(
      change!.kind === "unknown" || (change!.kind === "rule" && change!.after === "unknown"),
    ).toBe(true);
  });

  test("treats a policy with an unknown name as added", () => {
    const { entries } = diff(named("a"), [policy(UNKNOWN), policy("a"), UNKNOWN]);
    expect(entries.map((entry) => [entry.name, entry.nameHidden, kindOfChange(entry)])).toEqual([
      [undefined, "unknown", "added"],
      ["a", undefined, "unchanged"],
      [undefined, "unknown", "added"],
    ]);
  });

  test("reports an unknown list only as unknown", () => {
    expect(diff(named("a"), UNKNOWN)).toMatchObject({ unknown: true });
  });
});

test("reports changes of sensitive values without the values", () => {
  const [{ entries }] = diffEntries(
    policyChange([policy("s3cret"), policy("b")], [policy("s3cret"), policy("b", { checks: {} })], {
      beforeSensitive: [["policies", 0, "name"]],
      afterSensitive: [
        ["policies", 0, "name"],
        ["policies", 1, "checks"],
      ],
    }),
  ) as [ReturnType<typeof diff>];
  expect(JSON.stringify(entries)).not.toMatch(/s3cret|"41"/);
  expect(entries[1]!.members).toEqual([{ path: ["checks"], kind: "sensitive" }]);
});

test("names specifications by three members, without order", () => {
  const specification = (registry: string, cap: number) => ({
    registry,
    repository: "library/*",
    tag: "*",
    cap,
  });
  const change = resourceChange(
    registryScanAttributes,
    { ownership: "shared", specifications: [specification("", 5), specification("r.example", 5)] },
    { ownership: "shared", specifications: [specification("r.example", 9)] },
  );
  const [found] = diffEntries(change);
  expect(found).toMatchObject({ attribute: "specifications", ordered: false, others: "among" });
  expect(found!.entries).toMatchObject([
    {
      name: "r.example library/* *",
      moved: false,
      members: [{ path: ["cap"], kind: "value", before: 5, after: 9 }],
    },
    { name: "library/* *", to: undefined },
  ]);
});
