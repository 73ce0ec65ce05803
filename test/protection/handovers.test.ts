import { handovers } from "../../src/protection/handovers";
import type { Policy } from "../../src/protection/policy";

const policy = (name: string, given: Partial<Policy> = {}): Policy => ({
  name,
  disabled: false,
  scope: {},
  checks: { "41": true },
  ...given,
});
const prod = policy("prod", { scope: { namespaces: ["prod-*"] } });
const rest = policy("rest");
const changed = (before: readonly Policy[], after: readonly Policy[]) =>
  handovers(before, after).map(({ where, before: was, after: is }) => [
    where,
    was.policy,
    is.policy,
  ]);

describe("handovers", () => {
  test("name the policies that decide in place of a policy that is split", () => {
    const parts = [
      policy("prod-a", { scope: { namespaces: ["prod-a*"] } }),
      policy("others", { scope: { namespaces: ["PROD-*"] } }),
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
