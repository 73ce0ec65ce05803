import fc from "fast-check";
import { list, optional, string } from "../../src/core/schema/attribute";
import type { ObjectValue } from "../../src/core/values";
import { ACTION_REASONS, type ResourceChange } from "../../src/core/documents/stack-plan";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { createStyle } from "../../src/formats/text/style";
import { stackPlan } from "./plans";

const attributes = {
  name: optional(string(), "A name."),
  hosts: optional(list(string()), "Hosts."),
};

function planOf(
  before: ObjectValue | null,
  after: ObjectValue | null,
  more: Partial<ResourceChange> = {},
): string {
  const change: ResourceChange = {
    address: "cwp_thing.x",
    mode: "managed",
    type: "cwp_thing",
    name: "x",
    provider: "registry.terraform.io/cdktf-console/cwp",
    action: before ? "update" : "create",
    before,
    after,
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes,
    ...more,
  };
  return renderReviewedPlan(stackPlan([change]), { style: createStyle(false), width: 78 });
}

const hostile = fc.string({
  unit: fc.constantFrom(
    ...Array.from('ab \n\r\t\b\x1b[]{}"\\~+-#\u0000\u0085\u009b\u2028\u202e\u200b\u{e0001}$%🙂'),
  ),
});

test("escapes control characters, and indents every line of a value", () => {
  fc.assert(
    fc.property(hostile, hostile, fc.array(hostile), (before, after, hosts) => {
      const text = planOf({ name: before, hosts: [] }, { name: after, hosts });
      expect(text).not.toMatch(/[^\P{C}\n\t]/u);
      const inside = text.split("{\n").slice(1).join("{\n").split("\n    }\n")[0] ?? "";
      for (const line of inside.split("\n")) expect(line).toMatch(/^( {4}|$)/);
    }),
  );
});

const REASONS = ACTION_REASONS.map((reason) => ({ reason }));

test.each(REASONS)("escapes the names in $reason", ({ reason }) => {
  fc.assert(
    fc.property(hostile, (name) => {
      const address = `cwp_thing.${name}["${name}"]`;
      const change = { address, name, key: name, previousAddress: address, deposed: name, reason };
      expect(planOf({ name: "x" }, null, { ...change, action: "delete", after: null })).not.toMatch(
        /[^\P{C}\n]/u,
      );
    }),
    { numRuns: 50 },
  );
});

test("keeps a name that imitates lines of a plan inside its quotes", () => {
  const text = planOf(null, {
    name: 'x"\n\nPlan: 0 to add, 0 to change, 0 to destroy.\n',
    hosts: ['"]\x1b[1A\x1b[2K'],
  });
  expect(text.match(/^Plan:/gm)).toHaveLength(1);
  expect(text).toContain('+ "\\"]\\x1b[1A\\x1b[2K",');
});
