import fc from "fast-check";
import { compareProtection } from "../../src/protection/compare";
import { matchesLabels, matchesValue } from "../../src/protection/pattern";
import {
  compileScope,
  matchesScope,
  type Policy,
  type Scope,
  type Workload,
} from "../../src/protection/policy";

const letters = (names: readonly string[]) =>
  // All that one region needs of such short patterns fits into 7 letters.
  fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((some) => some.join(""));
const exemption = letters(["a", "b", "*"]).map((one) => `-${one}`);
const patterns = fc.oneof(
  fc.array(letters(["a", "b", "*", "*"]), { minLength: 1, maxLength: 2 }),
  fc.array(exemption, { minLength: 1, maxLength: 2 }).map((some) => ["*", ...some]),
);
const policies = fc
  .array(fc.tuple(patterns, fc.constantFrom("41", "51", "599")), { maxLength: 6 })
  .map((some): readonly Policy[] =>
    some.map(([namespaces, id], index) => ({
      name: `policy ${index}`,
      disabled: false,
      scope: { namespaces },
      checks: { [id]: true },
    })),
  );

const NONE = { image: null, container: null, host: null, account_id: null, labels: [] };
const WORKLOADS: readonly Workload[] = [null, ...texts(7)].map((namespace) => ({
  ...NONE,
  namespace,
}));

test("each scope that a region leaves out takes something away which no other one does", () => {
  fc.assert(
    fc.property(policies, policies, (before, after) => {
      for (const { where } of compareProtection(before, after)) {
        for (const [index, one] of where.none.entries()) {
          const inside = [...where.all, one].map(compileScope);
          const others = where.none.filter((_, at) => at !== index).map(compileScope);
          const isNeeded = (workload: Workload) =>
            inside.every((each) => matchesScope(each, workload)) &&
            !others.some((each) => matchesScope(each, workload));
          expect([where, one, WORKLOADS.some(isNeeded)]).toEqual([where, one, true]);
        }
      }
    }),
    { numRuns: 300 },
  );
});

const label = fc.constantFrom("a", "b", "ab", "*a", "b*", "*");
const labels = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 2 }),
  fc.array(fc.constantFrom("a", "b", "*b", "a*"), { maxLength: 2 }).map(exempting),
);
const namespaces = fc.oneof(
  fc.constantFrom(["*"], ["a*"], ["*b*"], ["ab"], ["a", "b"]),
  fc.array(fc.constantFrom("a*", "*b", "ab"), { maxLength: 2 }).map(exempting),
);
const inTwoFields = fc
  .array(fc.tuple(namespaces, labels, fc.constantFrom("41", "51")), { maxLength: 4 })
  .map((some): readonly Policy[] =>
    some.map(([namespaces, labels, id], index) => ({
      name: `policy ${index}`,
      disabled: false,
      scope: { namespaces, labels },
      checks: { [id]: true },
    })),
  );

test("each scope is needed also where labels and a second field decide", () => {
  fc.assert(
    fc.property(inTwoFields, inTwoFields, (before, after) => {
      for (const { where } of compareProtection(before, after)) {
        for (const [index, one] of where.none.entries()) {
          const inside = [...where.all, one].map(valuesIn);
          const others = where.none.filter((_, at) => at !== index).map(valuesIn);
          const isNeeded = NAMESPACES.some((_, at) => {
            const out = others.filter((each) => each.namespaces[at]);
            return (
              inside.every((each) => each.namespaces[at]) &&
              LABELS.some(
                (_, set) =>
                  inside.every((each) => each.labels[set]) && !out.some((each) => each.labels[set]),
              )
            );
          });
          expect([where, one, isNeeded]).toEqual([where, one, true]);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test.each<[string, { covering: readonly Scope[]; idle: Scope; region: Scope }]>([
  [
    "parts of two patterns overlap in all that is not exempted",
    {
      covering: [{ images: ["abc*", "abd*"] }],
      idle: { images: ["*bc*"] },
      region: { images: ["ab*", "-ab*bc*"] },
    },
  ],
  [
    "it exempts what parts of both make",
    {
      covering: [{ images: ["abc*", "abd*"] }],
      idle: { images: ["*bc*", "-ab*bc*"] },
      region: { images: ["ab*"] },
    },
  ],
  [
    "an earlier pattern has its part in the region's",
    {
      covering: [{ images: ["a*c*", "abd*"] }],
      idle: { images: ["*c*"] },
      region: { images: ["ab*"] },
    },
  ],
  [
    "it meets another pattern of the region than the first",
    {
      covering: [{ images: ["ad*", "bd*c*"] }],
      idle: { images: ["b*c*"] },
      region: { images: ["a*", "bd*"] },
    },
  ],
  [
    "the label that it exempts is the one that the region includes",
    {
      covering: [
        { images: ["ab*"], labels: ["b*"] },
        { images: ["ac*"], labels: ["b*"] },
      ],
      idle: { images: ["a*", "-ad*"], labels: ["*", "-a*"] },
      region: { images: ["ab*", "ac*"], labels: ["a*", "b"] },
    },
  ],
])("a scope that others make superfluous is left out if %s", (_, given) => {
  const { covering, idle, region } = given;
  const after = [...covering, idle, region].map((scope, index) => ({
    name: `policy ${index}`,
    disabled: false,
    scope,
    checks: { 41: true },
  }));
  const { where } = compareProtection([], after).find(
    ({ after }) => after.position === covering.length + 2,
  )!;
  expect(where).toEqual({ all: [region], none: covering });
});

test.each<[string, Readonly<Record<"idle" | "was" | "is", Scope>>]>([
  [
    "their labels",
    {
      idle: { images: ["*j*"], labels: ["c", "d"] },
      was: { images: ["*w*"], labels: ["*", "-c"] },
      is: { labels: ["*", "-d"] },
    },
  ],
  [
    "their namespaces",
    {
      idle: { images: ["*j*"], namespaces: ["b", "c"] },
      was: { images: ["*w*"], namespaces: ["a", "b"] },
      is: { namespaces: ["a", "c"] },
    },
  ],
  [
    "exemptions of the region",
    {
      idle: { namespaces: ["*j*"], images: ["*bc*"] },
      was: { namespaces: ["*w*"], images: ["ab*", "-abc*", "-ab*bc*"] },
      is: {},
    },
  ],
  [
    "its own exemptions",
    {
      idle: { namespaces: ["*j*"], images: ["*bc*", "-abc*", "-ab*bc*"] },
      was: { namespaces: ["*w*"], images: ["ab*"] },
      is: {},
    },
  ],
  [
    "a field without any value",
    {
      idle: { namespaces: ["*j*"], images: ["a*", "-a*"] },
      was: { namespaces: ["*w*"] },
      is: {},
    },
  ],
])("a scope that no workload of the region is in because of %s is left out", (_, given) => {
  const { idle, was, is } = given;
  const made = (scope: Scope, id: string): Policy => {
    return { name: id, disabled: false, scope, checks: { [id]: true } };
  };
  const regions = compareProtection([made(idle, "41"), made(was, "51")], [made(is, "599")]);
  const { where } = regions.find(({ before }) => before.policy === "51")!;
  expect(where.none).toEqual([]);
});

/** Names are at most 4 letters long, and a workload has at most 4 labels of at most 2. */
const NAMESPACES = [null, ...texts(4)];
const LABELS = subsets(texts(2), 4);

/** The values of each field that a scope takes in. */
function valuesIn(scope: Scope) {
  const { namespaces, labels } = compileScope(scope);
  return {
    namespaces: NAMESPACES.map((value) => matchesValue(namespaces, value)),
    labels: LABELS.map((values) => matchesLabels(labels, values)),
  };
}

function exempting(patterns: readonly string[]): readonly string[] {
  return ["*", ...patterns.map((one) => `-${one}`)];
}

function subsets(values: readonly string[], most: number): readonly (readonly string[])[] {
  const [first, ...rest] = values;
  if (first === undefined || most === 0) return [[]];
  return [...subsets(rest, most), ...subsets(rest, most - 1).map((subset) => [first, ...subset])];
}

function texts(length: number): readonly string[] {
  if (length === 0) return [];
  const shorter = texts(length - 1);
  const longer = shorter
    .filter((text) => text.length === length - 1)
    .flatMap((text) => ["a", "b", "z"].map((letter) => text + letter));
  return length === 1 ? ["a", "b", "z"] : [...shorter, ...longer];
}
