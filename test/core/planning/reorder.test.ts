import fc from "fast-check";
import { planObject } from "../../../src/core/planning/pipeline";
import { refereePlan } from "../../../src/core/planning/referee";
import { resources } from "../../../src/provider/resources";
import type { Attributes } from "../../../src/core/schema/attribute";
import { isListValue, type ObjectValue } from "../../../src/core/values";
import {
  COLLECTIONS,
  deploySpecConfigs,
  policyConfigs,
  scanScopeConfigs,
  specificationConfigs,
} from "../../provider/support/arbitraries";
import { complete } from "../../provider/support/engine";

/*
 * Members of a list set different attributes and leave others to the default. In every order each
 * member keeps its values, regardless of the member that had its index before.
 */

const lists: readonly (readonly [string, string, fc.Arbitrary<readonly ObjectValue[]>])[] = [
  ...COLLECTIONS.map(({ type, list, entries }) => [type, list, entries] as const),
  ["cwp_compliance_policy_set", "policies", policyConfigs],
  ["cwp_registry_scan", "specifications", specificationConfigs],
  ["cwp_serverless_scan", "scopes", scanScopeConfigs],
  ["cwp_serverless_auto_deploy", "specs", deploySpecConfigs],
];

function attributesOf(type: string): Attributes {
  return resources.find((one) => one.type === type)?.attributes ?? {};
}

/** The members in a random order. */
function shuffled(members: fc.Arbitrary<readonly ObjectValue[]>) {
  return members.chain((given) =>
    fc.record({
      given: fc.constant(given),
      order: fc.shuffledSubarray([...given.keys()], { minLength: given.length }),
    }),
  );
}

function membersOf(planned: ObjectValue, list: string): readonly unknown[] {
  const members = planned[list] ?? null;
  if (!isListValue(members)) throw new Error(`${list} is no list`);
  return members;
}

describe.each(lists)("%s", (type, list, arbitrary) => {
  const attributes = attributesOf(type);
  const plan = (members: readonly ObjectValue[], prior: ObjectValue | null) => {
    const config = complete(attributes, { [list]: members });
    const planned = planObject(attributes, config, prior);
    expect(refereePlan(attributes, prior, config, planned)).toEqual([]);
    return planned;
  };

  test("keeps defaults in place in a reorder", () => {
    fc.assert(
      fc.property(shuffled(arbitrary), ({ given, order }) => {
        const before = plan(given, null);
        const after = plan(
          order.map((at) => given[at] ?? {}),
          before,
        );
        expect(membersOf(after, list)).toEqual(order.map((at) => membersOf(before, list)[at]));
      }),
    );
  });

  test("keeps defaults in place in an insertion or a removal", () => {
    fc.assert(
      fc.property(arbitrary, arbitrary, (one, other) => {
        const prior = plan(other, null);
        expect(membersOf(plan(one, prior), list)).toEqual(membersOf(plan(one, null), list));
      }),
    );
  });
});
