import { lintPolicies, type PolicyFinding } from "../../src/protection/lint";
import type { Policy } from "../../src/protection/policy";
import { policy as named } from "./policies";

const found = (...policies: Policy[]): readonly PolicyFinding[] => lintPolicies(policies);

test("a policy that others in front hide, together, with the checks that are lost", () => {
  const findings = found(
    named("a", { images: ["a*"], namespaces: ["prod"] }, "1"),
    named("other", { hosts: ["h"] }, "1"),
    named("b", { images: ["*"], namespaces: ["prod"] }, "1"),
    named("hidden", { images: ["ab*"], namespaces: ["prod"] }, "1", "2"),
  );
  expect(findings).toContainEqual({
    index: 3,
    kind: "hidden",
    by: expect.arrayContaining([0]) as unknown,
    lost: ["2"],
  });
});

test("a policy that decides nothing else than the one behind it would", () => {
  const split = named("split", { namespaces: ["prod-a*"] }, "1");
  const whole = named("whole", { namespaces: ["prod-*"] }, "1");
  expect(found(split, whole)).toEqual([{ index: 0, kind: "redundant" }]);
  // A policy between the two would decide otherwise.
  expect(found(split, named("between", { images: ["x"] }, "2"), whole)).toEqual([]);
});

test("a policy without checks that nothing behind it would check", () => {
  const open = named("open", { namespaces: ["dev-*"] });
  const root = named("root", { namespaces: ["prod-*"] }, "1");
  expect(found(open, root)).toEqual([{ index: 0, kind: "redundant" }]);
  // It exempts its workloads from a policy behind it.
  expect(found(open, root, named("rest", {}, "2"))).toEqual([]);
});

test("a policy whose workloads several policies behind it check alike", () => {
  const all = named("all", {}, "1");
  const [dev, others] = [named("dev", { namespaces: ["dev*"] }, "1"), named("rest", {}, "1")];
  expect(found(all, dev, others)).toContainEqual({ index: 1, kind: "hidden", by: [0], lost: [] });
  const both = named("both", { namespaces: ["dev", "prod"] }, "1");
  const prod = named("prod", { namespaces: ["prod*"] }, "1");
  expect(found(both, dev, prod)).toEqual([{ index: 0, kind: "redundant" }]);
});

test.each<[string, readonly string[], boolean]>([
  ["exempts all that it includes", ["prod", "-prod*"], true],
  ["exempts everything", ["prod", "-*"], true],
  ["includes nothing", ["-prod"], false],
  ["is empty", [], false],
])("a field that %s", (_, namespaces, exempts) => {
  expect(found(named("p", { namespaces }, "1"))).toEqual([
    { index: 0, kind: "empty", field: "namespaces", exempts },
  ]);
});

test("patterns that differ by letter case only", () => {
  expect(found(named("p", { labels: ["a", "A", "b"] }, "1"))).toEqual([
    { index: 0, kind: "case", field: "labels" },
  ]);
});

test("nothing about sets that do what they say, nor about what is disabled or not known", () => {
  const rest = named("rest", {}, "2");
  const off = { ...named("off", {}, "1"), disabled: true };
  const unknown: Policy = { ...named("unknown", {}, "1"), unknown: "scope" };
  expect(found(named("root", { namespaces: ["prod-*"] }, "1"), off, rest)).toEqual([]);
  expect(found(unknown, rest)).toEqual([]);
});

test("nothing about 300 policies of different scopes", () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    named(`p${index}`, { namespaces: [`team-${index}-*`] }, "1", String(index + 10)),
  );
  expect(found(...many, named("rest", {}, "2"))).toEqual([]);
});
