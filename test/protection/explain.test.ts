import fc from "fast-check";
import { completeImage, explainDecision } from "../../src/protection/explain";
import type { Policy } from "../../src/protection/policy";
import { plainDecision } from "./plain-decision";
import { policy as named } from "./policies";

const SET: readonly Policy[] = [
  { ...named("off", {}, "1"), disabled: true },
  named("root", { namespaces: ["prod-*"] }, "599"),
  named("images", { images: ["x/*"], labels: ["a"] }, "41"),
  named("rest", {}),
];

test("names the policy that decides, and why those in front do not", () => {
  const query = { image: "x/y", namespace: "dev", labels: ["b"] };
  expect(explainDecision(SET, query)).toMatchObject({
    cases: [{ policy: "rest", position: 4, checks: {} }],
    passed: [
      { policy: "off", disabled: true },
      { policy: "root", fields: ["namespaces"] },
      { policy: "images", fields: ["labels"] },
    ],
  });
});

test("lists the decisions that fields left out allow", () => {
  const { cases } = explainDecision(SET, { labels: ["a"] });
  expect(cases.map(({ policy, where }) => [policy, where])).toEqual([
    ["root", { all: [{ namespaces: ["prod-*"] }], none: [] }],
    ["images", { all: [{ images: ["x/*"] }], none: [{ namespaces: ["prod-*"] }] }],
    ["rest", { all: [], none: [{ namespaces: ["prod-*"] }, { images: ["x/*"] }] }],
  ]);
});

test("answers a pattern with the policies that decide for its parts", () => {
  const { cases, passed } = explainDecision(SET, { labels: ["a"] }, [{ namespaces: ["*-pay"] }]);
  expect(cases.map(({ policy, where }) => [policy, where])).toEqual([
    ["root", { all: [{ namespaces: ["prod-*"] }, { namespaces: ["*-pay"] }], none: [] }],
    [
      "images",
      { all: [{ images: ["x/*"], namespaces: ["*-pay"] }], none: [{ namespaces: ["prod-*"] }] },
    ],
    [
      "rest",
      { all: [{ namespaces: ["*-pay"] }], none: [{ namespaces: ["prod-*"] }, { images: ["x/*"] }] },
    ],
  ]);
  expect(passed).toMatchObject([{ policy: "off" }]);
  const dev = explainDecision(SET, {}, [
    { namespaces: ["dev-*"] },
    { labels: ["b*"] },
    { labels: ["c*"] },
  ]);
  expect(dev.cases.map(({ policy, where }) => [policy, where.all.length])).toEqual([
    ["images", 3],
    ["rest", 2],
  ]);
  expect(dev.passed).toMatchObject([{ policy: "off" }, { policy: "root", fields: ["namespaces"] }]);
});

test("a workload without a value is matched by * alone", () => {
  expect(explainDecision(SET.slice(0, 3), { namespace: null, image: null })).toMatchObject({
    cases: [{ policy: null, position: null, checks: {} }],
    passed: [{ policy: "off" }, { policy: "root" }, { policy: "images" }],
  });
});

test("agrees with the rules for each workload that is wholly given", () => {
  const pattern = fc.constantFrom("*", "a*", "b", "-a", "*b");
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 2 });
  const policy = fc.record({
    name: fc.constant("p"),
    disabled: fc.boolean(),
    scope: fc.record({ namespaces: patterns, labels: patterns }, { requiredKeys: [] }),
    checks: fc.constant({ "1": true }),
  });
  const text = fc.constantFrom("a", "b", "ab");
  fc.assert(
    fc.property(
      fc.array(policy, { maxLength: 6 }),
      fc.option(text),
      fc.array(text, { maxLength: 2 }),
      (policies, namespace, labels) => {
        const none = { image: null, container: null, host: null, account_id: null };
        const workload = { ...none, namespace, labels };
        const { cases } = explainDecision(policies, workload);
        const decided = plainDecision(policies, workload);
        expect(cases.map(({ position }) => position)).toEqual([decided < 0 ? null : decided + 1]);
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["nginx:1", "docker.io/library/nginx:1"],
  ["bitnami/nginx", "docker.io/bitnami/nginx"],
  ["registry.example.com/nginx", "registry.example.com/nginx"],
  ["localhost/nginx", "localhost/nginx"],
  ["registry:5000/a/b", "registry:5000/a/b"],
])("completes the image %s to %s", (name, completed) => {
  expect(completeImage(name)).toBe(completed);
});
