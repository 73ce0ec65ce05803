import {
  eventMessage,
  describeResource,
  diagnosticMessage,
  formatMessage,
} from "../../../src/formats/ui-stream/message";
import { planMessages } from "../../../src/formats/ui-stream/plan-messages";
import { error } from "../../../src/core/diagnostics";
import { formatJson } from "../../../src/core/json/format-json";
import { resourceChange } from "../../review/entries/changes";
import { stackPlan } from "../../review/plans";

test("formats a line with Terraform's order, escapes and digits of time", () => {
  const message = { level: "info", text: "<a>\n&", type: "log" } as const;
  expect(formatMessage(message, new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), ["prod"])).toBe(
    '{"@level":"info","@message":"\\u003ca\\u003e\\n\\u0026","@module":"terraform.ui","@timestamp":"2026-01-02T03:04:05.006000Z","stack":"prod","type":"log"}',
  );
});

test.each([
  [
    'data.cwp_images.all["k.1"]',
    '{"addr":"data.cwp_images.all[\\"k.1\\"]","module":"","resource":"data.cwp_images.all[\\"k.1\\"]","implied_provider":"cwp","resource_type":"cwp_images","resource_name":"all","resource_key":"k.1"}',
  ],
  [
    "module.m[0].null_resource.a[1]",
    '{"addr":"module.m[0].null_resource.a[1]","module":"module.m[0]","resource":"null_resource.a[1]","implied_provider":"null","resource_type":"null_resource","resource_name":"a","resource_key":1}',
  ],
])("describes %s", (address, expected) => {
  expect(formatJson(describeResource(address))).toBe(expected);
});

test("describes progress with its message, and no imports", () => {
  const at = { stack: "s", address: "cwp_license.l" };
  const event = { ...at, type: "apply_progress", action: "create", elapsedMs: 70_400 } as const;
  expect(eventMessage(event)).toMatchObject({
    text: "cwp_license.l: Still creating... [1m10s elapsed]",
    members: {
      hook: new Map<string, unknown>([
        ["resource", expect.anything()],
        ["action", "create"],
        ["elapsed_seconds", 70],
      ]),
    },
  });
  expect(eventMessage({ ...event, message: "the console" })?.text).toContain(
    "elapsed, the console]",
  );
  expect(eventMessage({ ...at, type: "import_start", id: "x" })).toBeUndefined();
});

test("describes the location of a diagnostic", () => {
  const message = diagnosticMessage({
    ...error("Wrong", "Mend it."),
    address: "cwp_license.l",
    constructPath: "s/l",
    path: ["policies", 2, "name"],
  });
  expect(JSON.parse(formatMessage(message, new Date(0)))).toMatchObject({
    "@level": "error",
    "@message": "Error: Wrong",
    type: "diagnostic",
    diagnostic: {
      severity: "error",
      summary: "Wrong",
      detail: "Mend it.",
      address: "cwp_license.l",
      construct_path: "s/l",
      attribute: "policies[2].name",
    },
  });
});

test("counts an import, and describes a forgotten object as removed", () => {
  const { changes } = stackPlan([
    resourceChange({}, {}, {}, { action: "no-op", importing: { id: "x" } }),
    resourceChange({}, {}, null, { action: "forget" }),
  ]);
  const messages = planMessages(stackPlan(changes));
  expect(messages.map(({ text }) => text)).toEqual([
    "cwp_thing.main: Plan to import",
    "cwp_thing.main: Plan to remove",
    "Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.",
  ]);
});
