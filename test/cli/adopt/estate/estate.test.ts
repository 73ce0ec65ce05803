import fc from "fast-check";
import { baseLineOf, type TenantLiteral } from "../../../../src/cli/adopt/estate/base-line";
import { overridesOf } from "../../../../src/cli/adopt/estate/differences";
import { applied, estateOf, type ReadTenant } from "../../../../src/cli/adopt/estate/estate";
import type { Literal, LiteralObject } from "../../../../src/cli/adopt/literal-source";
import { cases } from "../../../support/cases";

const policy = (name: string, ...blocking: number[]): LiteralObject => ({
  name,
  checks: Object.fromEntries(blocking.map((id) => [id, true])),
});
const tenant = (name: string, policies: readonly LiteralObject[], labels = {}): ReadTenant => ({
  name,
  labels,
  settings: { policies: { policies } },
});
const namesIn = ({ policies }: TenantLiteral) =>
  (policies as { policies: readonly LiteralObject[] }).policies.map(({ name }) => name);

const [root, logs, rest] = [policy("root", 599), policy("logs", 41, 51), policy("rest", 41)];

describe("the base line", () => {
  test("has the policies that enough tenants have, with the content and in the order of most", () => {
    const lists = [
      [root, logs, rest],
      [root, logs, rest],
      [policy("own"), root, logs, policy("rest", 1)],
      [logs, root, rest],
      [root, rest],
    ];
    const settings = lists.map((policies) => ({ policies: { policies } }));
    expect(baseLineOf(settings, 0.8)).toEqual({ policies: { policies: [root, logs, rest] } });
    expect(namesIn(baseLineOf(settings, 1))).toEqual(["root", "rest"]);
  });

  test("has other elements that enough tenants have alike", () => {
    const scan = (registry: string) => ({ registryScan: { specifications: [{ registry }] } });
    expect(baseLineOf([scan("a"), scan("a"), scan("b")], 0.6)).toEqual(scan("a"));
    expect(baseLineOf([scan("a"), scan("a"), scan("b")], 0.8)).toEqual({});
    expect(baseLineOf([], 0.8)).toEqual({});
  });
});

describe("an estate", () => {
  test("has a row for what one tenant changes, and a label for what several change alike", () => {
    const pci = policy("pci", 5041);
    const plain = Array.from({ length: 8 }, (_, at) => tenant(`t${at}`, [root, rest]));
    const { base, label, variants, tenants } = estateOf(
      [
        ...plain,
        tenant("a", [pci, root, policy("rest", 41, 51)]),
        tenant("b", [pci, root, rest]),
        tenant("c", [policy("own", 1), pci, root, rest]),
        tenant("d", [root]),
      ],
      0.7,
    );
    expect(base).toEqual({ policies: { policies: [root, rest] } });
    expect(label).toBe("variant");
    expect([...variants]).toEqual([["pci", { policies: { policies: [pci] } }]]);
    const changed = (...policies: Literal[]) => ({ policies: { policies } });
    expect(tenants.slice(7)).toEqual([
      { labels: {}, overrides: {} },
      { labels: { variant: "pci" }, overrides: changed({ name: "rest", checks: { 51: true } }) },
      { labels: { variant: "pci" }, overrides: {} },
      { labels: { variant: "pci" }, overrides: changed(policy("own", 1)) },
      { labels: {}, overrides: changed({ name: "rest", removed: true }) },
    ]);
  });

  test("takes the labels that the tenants have, if these distinguish the same tenants", () => {
    const own = (name: string) => tenant(name, [policy("eu"), root], { region: "eu" });
    const others = ["d", "e", "f", "g"].map((name) => tenant(name, [root], { region: "us" }));
    const read = [own("a"), own("b"), own("c"), ...others];
    const { label, variants } = estateOf(read, 0.5);
    expect([label, ...variants.keys()]).toEqual(["region", "eu"]);
    const mixed = estateOf([...read, tenant("h", [root], { region: "eu" })], 0.5);
    expect([mixed.label, ...mixed.variants.keys()]).toEqual(["variant", "eu"]);
  });

  test("has the whole list of a tenant whose order no overrides express", () => {
    const policies = [root, policy("between"), rest];
    const read = [1, 2, 3, 4].map((at) => tenant(`t${at}`, [root, rest]));
    const { tenants } = estateOf([...read, tenant("other", policies)], 0.8);
    expect(tenants.at(-1)).toEqual({ labels: {}, overrides: {}, policies });
    expect(tenants.slice(0, -1).every((one) => one.policies === undefined)).toBe(true);
  });
});

const name = fc.constantFrom("a", "b", "c", "d", "e", "__proto__");
const entry = fc.record(
  {
    name,
    disabled: fc.boolean(),
    checks: fc.dictionary(fc.constantFrom("41", "51", "599"), fc.boolean(), {
      noNullPrototype: true,
    }),
    namespaces: fc.subarray(["x", "y", "*"]),
  },
  { requiredKeys: ["name"], noNullPrototype: true },
);
const policies = fc.uniqueArray(entry, { selector: (one) => one.name, maxLength: 5 });
const record = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { noNullPrototype: true });
const settings = fc.record(
  {
    console: record({ release: fc.constantFrom("20.04", "20.12") }),
    policies: fc.record(
      { ownership: fc.constantFrom("prefix", "suffix"), policies },
      { requiredKeys: ["policies"], noNullPrototype: true },
    ),
    registryScan: record({
      specifications: fc.array(record({ registry: name, repository: fc.string() }), {
        maxLength: 2,
      }),
    }),
    serverlessAutoDeploy: record({
      specs: fc.uniqueArray(record({ name, provider: fc.constantFrom("aws", "gcp") }), {
        selector: (one) => one.name,
        maxLength: 3,
      }),
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
) as unknown as fc.Arbitrary<TenantLiteral>;

/** Tenants that are like one of a few, but for a little. */
const estate = fc
  .tuple(fc.array(settings, { minLength: 1, maxLength: 3 }), fc.array(settings, { maxLength: 3 }))
  .chain(([common, others]) =>
    fc.array(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...common) }, ...others.map(fc.constant)),
      {
        maxLength: 14,
      },
    ),
  );

test("expresses the settings of each tenant exactly", () => {
  fc.assert(
    fc.property(estate, fc.constantFrom(0.3, 0.8, 1), (all, common) => {
      const read = all.map((one, at) => ({ name: `t${at}`, labels: {}, settings: one }));
      const { base, variants, label, tenants } = estateOf(read, common);
      for (const [at, { labels, overrides, policies: whole }] of tenants.entries()) {
        const variant = variants.get((labels as Record<string, string>)[label] ?? "") ?? {};
        const made = applied(applied(base, variant), overrides);
        const list = made.policies as LiteralObject | undefined;
        expect(whole ? { ...made, policies: { ...list, policies: whole } } : made).toEqual(all[at]);
      }
    }),
    { numRuns: cases(200) },
  );
});

test("has no overrides for what is equal", () => {
  fc.assert(
    fc.property(settings, (one) => {
      expect(overridesOf(one, structuredClone(one))).toBeUndefined();
    }),
  );
});
