import { handovers } from "../../src/protection/handovers";
import type { Policy } from "../../src/protection/policy";
import { policy } from "./policies";

const prod = policy("prod", { namespaces: ["prod-*"] }, "41");
const rest = policy("rest", {}, "41");
const changed = (before: readonly Policy[], after: readonly Policy[]) =>
  handovers(before, after).map(({ where, before: was, after: is }) => [
    where,
    was.policy,
    is.policy,
  ]);

describe("handovers", () => {
  test("name the policies that decide in place of a policy that is split", () => {
    const parts = [
      policy("prod-a", { namespaces: ["prod-a*"] }, "41"),
      policy("others", { namespaces: ["PROD-*"] }, "41"),
    ];
    expect(changed([prod, rest], [...parts, rest])).toEqual([
      [{ all: [{ namespaces: ["prod-a*"] }], none: [] }, "prod", "prod-a"],
      [
        { all: [{ namespaces: ["prod-*"] }], none: [{ namespaces: ["prod-a*"] }] },
        "prod",
        "others",
      ],
    ]);
  });

  test("name policies that decide where none did, and the reverse", () => {
    expect(changed([], [rest])).toEqual([[{ all: [], none: [] }, null, "rest"]]);
    expect(changed([rest], [])).toEqual([[{ all: [], none: [] }, "rest", null]]);
  });

  test("are none where the same policies decide", () => {
    expect(changed([prod, rest], [prod, { ...rest, checks: {} }])).toEqual([]);
  });
});
