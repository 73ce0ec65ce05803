import { decisionsOf } from "../../src/protection/decisions";
import type { Policy } from "../../src/protection/policy";
import { decidingPolicies, noLongerDeciding } from "../../src/protection/reach";
import { policy } from "./policies";

const prod = policy("prod", { namespaces: ["prod-*"] }, "41");
const rest = policy("rest", {}, "41");

const idle = (before: readonly Policy[], after: readonly Policy[]) =>
  noLongerDeciding(decisionsOf(before, after));

test("a policy behind one for everything does not decide", () => {
  expect([...decidingPolicies(decisionsOf([prod, rest], []))]).toEqual([0, 1]);
  expect([...decidingPolicies(decisionsOf([rest, prod], []))]).toEqual([0]);
  expect([...decidingPolicies(decisionsOf([{ ...rest, disabled: true }, prod], []))]).toEqual([1]);
});

describe("policies that no longer decide", () => {
  test("are those behind a policy that moved in front", () => {
    expect(idle([prod, rest], [rest, prod])).toEqual(["prod"]);
    expect(idle([rest, prod], [prod, rest])).toEqual([]);
  });

  test("are not those that were removed, disabled or added", () => {
    expect(idle([prod, rest], [rest])).toEqual([]);
    expect(idle([prod, rest], [rest, { ...prod, disabled: true }])).toEqual([]);
    expect(idle([rest], [rest, prod])).toEqual([]);
  });

  test("are only those that certainly decided and certainly do not", () => {
    const unknown: Policy = { ...policy("new", {}, "41"), unknown: "scope" };
    expect(idle([prod, rest], [unknown, prod, rest])).toEqual([]);
    expect(idle([unknown, prod], [rest, unknown, prod])).toEqual([]);
  });
});
