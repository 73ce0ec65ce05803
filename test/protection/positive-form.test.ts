import fc from "fast-check";
import { compareProtection, type Region } from "../../src/protection/compare";
import { compileScope, matchesScope, type Policy, type Scope } from "../../src/protection/policy";
import { positiveForm } from "../../src/protection/positive-form";
import { ScopeCompiler } from "../../src/protection/search-scope";
import { waiverFor } from "../../src/protection/waiver";

const policy = (name: string, scope: Scope, block?: boolean): Policy => ({
  ...{ name, scope, disabled: false },
  checks: block === undefined ? {} : { 599: block },
});

function compiled(scopes: readonly Scope[]) {
  const compiler = new ScopeCompiler();
  return scopes.map((scope) => compiler.compile(scope));
}

/** The region that is weaker when a policy is changed in front of one that only alerts. */
function weakened(before: Scope, after: Scope, ...ahead: readonly Policy[]): Region {
  const rest = policy("rest", {}, false);
  const [region, ...others] = compareProtection(
    [...ahead, policy("root", before, true), rest],
    [...ahead, policy("root", after, true), rest],
  ).filter(({ change }) => change === "weaker");
  if (!region || others.length > 0) throw new Error("not one region");
  return region;
}

const ahead = policy("trusted", { images: ["trusted/*", "x/*"] });

test.each<[string, Region, Region["where"]]>([
  [
    "one namespace",
    weakened({ namespaces: ["prod-*"] }, { namespaces: ["prod-*", "-prod-pay"] }),
    { all: [{ namespaces: ["prod-pay"] }], none: [] },
  ],
  [
    "namespaces behind another policy",
    weakened({ namespaces: ["prod-*"] }, { namespaces: ["prod-*", "-prod-pay*"] }, ahead),
    { all: [{ namespaces: ["prod-pay*"] }], none: [{ images: ["trusted/*", "x/*"] }] },
  ],
  [
    "one more namespace",
    weakened({ namespaces: ["p*", "-pa"] }, { namespaces: ["p*", "-pa", "-pb"] }),
    { all: [{ namespaces: ["pb"] }], none: [] },
  ],
  [
    "images in namespaces",
    weakened({ namespaces: ["prod-*"] }, { namespaces: ["prod-*"], images: ["*", "-a/*", "-b/*"] }),
    { all: [{ images: ["a/*", "b/*"], namespaces: ["prod-*"] }], none: [] },
  ],
  [
    "labels beside an exempted one",
    weakened({ labels: ["a", "-b"] }, { labels: ["a", "-b", "-c"] }),
    { all: [{ labels: ["a", "-b"] }, { labels: ["c"] }], none: [] },
  ],
  [
    "namespaces that only some workloads of the scope are in",
    weakened({ namespaces: ["prod-*"] }, { namespaces: ["prod-*", "-*pay*"] }),
    { all: [{ namespaces: ["prod-*"] }, { namespaces: ["*pay*"] }], none: [] },
  ],
])("exempts %s in a positive form", (_, region, where) => {
  expect(region.where).toEqual(where);
});

test.each<[string, Region["where"], Region["where"]]>([
  [
    "a pattern that an earlier policy has too",
    { all: [{ namespaces: ["a*", "b*"] }], none: [{ namespaces: ["b*", "c*"] }] },
    { all: [{ namespaces: ["a*"] }], none: [] },
  ],
  [
    "a pattern within one of an earlier policy",
    { all: [{ namespaces: ["a*", "bb*"] }], none: [{ namespaces: ["b*", "*a"] }] },
    { all: [{ namespaces: ["a*"] }], none: [{ namespaces: ["*a", "b*"] }] },
  ],
  [
    "no pattern that an earlier policy has for some images",
    { all: [{ namespaces: ["a*", "b*"] }], none: [{ images: ["x"], namespaces: ["b*"] }] },
    { all: [{ namespaces: ["a*", "b*"] }], none: [{ images: ["x"], namespaces: ["b*"] }] },
  ],
  [
    "a label, whose workloads may have another one",
    { all: [{ labels: ["a", "b"] }], none: [{ labels: ["b"] }] },
    { all: [{ labels: ["a"] }], none: [{ labels: ["b"] }] },
  ],
])("leaves out %s", (_, { all, none }, where) => {
  expect(positiveForm(compiled(all), compiled(none))).toEqual(where);
});

test("a waiver for an exempted namespace is for no other one", () => {
  const region = weakened({ namespaces: ["prod-*"] }, { namespaces: ["prod-*", "-prod-pay"] });
  expect(waiverFor(region)?.where).toEqual({ all: [{ namespaces: ["prod-pay"] }], none: [] });
});

test("takes a scope with exemptions in two fields for an exception", () => {
  const scope = { images: ["*", "-a"], namespaces: ["*", "-b"] };
  expect(weakened({}, scope).where).toEqual({ all: [], none: [scope] });
});

const text = fc
  .array(fc.constantFrom("a", "b", "*"), { minLength: 1, maxLength: 3 })
  .map((letters) => letters.join(""));
const patterns = fc
  .tuple(
    fc.array(text, { minLength: 1, maxLength: 2 }),
    // A value may begin with a dash, and only an exemption can match it.
    fc.array(fc.tuple(fc.constantFrom("-", "-", "--"), text), { maxLength: 2 }),
  )
  .map(([included, exempted]) => [...included, ...exempted.map((one) => one.join(""))]);
const scope: fc.Arbitrary<Scope> = fc.record(
  { namespaces: patterns, labels: patterns, images: patterns },
  { requiredKeys: [] },
);
const scopes = (minLength: number) => fc.array(scope, { minLength, maxLength: 3 });

const VALUES = [null, "a", "b", "ab", "ba", "aa", "bb", "aba", "z", "-a"];
const LABELS = [
  [],
  ["a"],
  ["b"],
  ["a", "b"],
  ["ab"],
  ["ab", "b"],
  ["z", "aa"],
  ["-a"],
  ["a", "-b"],
];
const WORKLOADS = VALUES.flatMap((namespace) =>
  LABELS.flatMap((labels) =>
    [null, "a", "ab"].map((image) => {
      return { namespace, labels, image, container: null, host: null, account_id: null };
    }),
  ),
);

test("the positive form has the same workloads", () => {
  fc.assert(
    fc.property(scopes(1), scopes(0), (all, none) => {
      const given = { all, none };
      const form = positiveForm(compiled(all), compiled(none));
      const isIn = (where: Region["where"], workload: (typeof WORKLOADS)[number]) => {
        const matches = (one: Scope) => matchesScope(compileScope(one), workload);
        return where.all.every(matches) && !where.none.some(matches);
      };
      const differs = WORKLOADS.filter((one) => isIn(form, one) !== isIn(given, one));
      expect(differs).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
