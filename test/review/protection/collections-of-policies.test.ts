import type { ObjectValue } from "../../../src/core/values";
import { consoleCollection } from "../../../src/provider/resources/collection";
import { reviewProtection } from "../../../src/review/protection/review-protection";
import type { ResourceChange } from "../../../src/core/documents/stack-plan";
import { policy, policyChange, resourceChange } from "../entries/changes";

const EVERYTHING = {
  ...{ images: ["*"], containers: ["*"], namespaces: ["*"] },
  ...{ hosts: ["*"], labels: ["*"], account_ids: ["*"] },
};
const scope = (name: string, fields: ObjectValue = {}) => ({ name, ...EVERYTHING, ...fields });
const prod = scope("prod", { namespaces: ["prod-*"] });
const edge = scope("edge", { images: ["edge/*"] });
const limited = (...collections: string[]): ObjectValue => ({
  ...policy("root", { checks: { "599": true } }),
  resources: null,
  collections,
});

/** A policy set before and after, each with the scopes that the plan has of its collections. */
function setChange(
  [before, scopesBefore]: readonly [ObjectValue, readonly ObjectValue[] | null],
  [after, scopesAfter]: readonly [ObjectValue, readonly ObjectValue[] | null],
): ResourceChange {
  const change = policyChange([before], [after], { address: "cwp_compliance_policy_set.all" });
  return {
    ...change,
    before: { ...change.before, collection_scopes: scopesBefore },
    after: { ...change.after, collection_scopes: scopesAfter },
  };
}

const collectionChange = (before: ObjectValue | null, after: ObjectValue | null) =>
  resourceChange(consoleCollection.attributes, before, after, { address: "cwp_collection.prod" });

const lines = (...changes: ResourceChange[]) =>
  [...reviewProtection({ changes }).values()].flatMap(({ regions, coverage, complete }) => [
    ...regions.map(({ change, certainty, where }) =>
      [change, certainty, JSON.stringify(where.all)].join(" "),
    ),
    ...coverage.map(({ change, certainty, entry }) => [change, certainty, entry].join(" ")),
    ...(complete ? [] : ["incomplete"]),
  ]);

test("are judged as the union of the scopes of their collections", () => {
  const change = setChange([limited("prod", "edge"), [edge, prod]], [limited("prod"), [prod]]);
  expect(lines(change)).toEqual(['weaker certain [{"images":["edge/*"]}]']);
  const same = setChange([limited("prod"), [prod]], [limited("prod"), [prod]]);
  expect(lines(same)).toEqual([]);
});

test("get weaker and stronger with the content of a collection", () => {
  const narrow = scope("prod", { namespaces: ["prod-a*"] });
  const change = setChange([limited("prod"), [prod]], [limited("prod"), [narrow]]);
  expect(lines(change)).toEqual(['weaker certain [{"namespaces":["prod-*"]}]']);
  const back = setChange([limited("prod"), [narrow]], [limited("prod"), [prod]]);
  expect(lines(back)).toEqual(['stronger certain [{"namespaces":["prod-*"]}]']);
});

test("are not evaluated without the scopes", () => {
  const change = setChange([limited("prod"), null], [limited("edge"), null]);
  expect(lines(change)).toEqual(["weaker possible []", "stronger possible []", "incomplete"]);
});

test("of other stacks possibly change with a collection", () => {
  const narrow = { ...prod, namespaces: ["prod-a*"] };
  const both = ["weaker possible prod", "stronger possible prod"];
  expect(lines(collectionChange(prod, narrow))).toEqual(both);
  expect(lines(collectionChange(prod, null))).toEqual(["weaker possible prod"]);
  expect(lines(collectionChange(null, prod))).toEqual([]);
  expect(lines(collectionChange(prod, { ...prod, color: "#000" }))).toEqual([]);
  const own = setChange([limited("prod"), [prod]], [limited("prod"), [narrow]]);
  expect(lines(collectionChange(prod, narrow), own)).toEqual([
    'weaker certain [{"namespaces":["prod-*"]}]',
  ]);
  const stale = setChange([limited("prod"), [prod]], [limited("prod"), [prod]]);
  expect(lines(collectionChange(prod, narrow), stale)).toEqual(both);
});
