import type { EngineEvent } from "../../../src/core/documents/events";
import { formatCompletion } from "../../../src/formats/text/counts";
import { formatDuration, renderEvent } from "../../../src/formats/text/progress-text";
import { createStyle } from "../../../src/formats/text/style";

const style = createStyle(false);
const at = { stack: "s", address: "cwp_license.license" };

test.each<[string, EngineEvent, string | undefined]>([
  [
    "refresh",
    { ...at, type: "refresh_start", id: "license" },
    "cwp_license.license: Refreshing state... [id=license]",
  ],
  [
    "import",
    { ...at, type: "import_start", id: 'a"b' },
    'cwp_license.license: Importing from ID "a\\"b"...',
  ],
  [
    "a prepared import",
    { ...at, type: "import_prepared", resourceType: "cwp_license" },
    "cwp_license.license: Import prepared!\n  Prepared cwp_license for import",
  ],
  ["create", { ...at, type: "apply_start", action: "create" }, "cwp_license.license: Creating..."],
  [
    "update",
    { ...at, type: "apply_start", action: "update", id: "license" },
    "cwp_license.license: Modifying... [id=license]",
  ],
  [
    "still creating",
    { ...at, type: "apply_progress", action: "create", elapsedMs: 10_002 },
    "cwp_license.license: Still creating... [10s elapsed]",
  ],
  [
    "still destroying, with a message",
    {
      ...at,
      type: "apply_progress",
      action: "delete",
      id: "license",
      elapsedMs: 70_000,
      message: "waiting for the console",
    },
    "cwp_license.license: Still destroying... [id=license, 1m10s elapsed, waiting for the console]",
  ],
  [
    "created",
    { ...at, type: "apply_complete", action: "create", elapsedMs: 1_200, id: "license" },
    "cwp_license.license: Creation complete after 1s [id=license]",
  ],
  [
    "a deposed object destroyed",
    { ...at, deposed: "0a1b2c3d", type: "apply_complete", action: "delete", elapsedMs: 0 },
    "cwp_license.license (deposed object 0a1b2c3d): Destruction complete after 0s",
  ],
  [
    "a provisioner's output",
    { ...at, type: "provision_progress", provisioner: "local-exec", line: "hi \x1b[1m" },
    "cwp_license.license (local-exec): hi \\x1b[1m",
  ],
  [
    "no line for an error, which is a diagnostic",
    { ...at, type: "apply_errored", action: "create", elapsedMs: 1 },
    undefined,
  ],
])("%s", (_, event, line) => {
  expect(renderEvent(event, style)).toBe(line);
});

test("shortens a long ID in lines that repeat", () => {
  const event: EngineEvent = {
    ...at,
    type: "apply_progress",
    action: "update",
    id: `a${"x".repeat(200)}z`,
    elapsedMs: 10_000,
  };
  expect(renderEvent(event, style)).toMatch(/\[id=ax{38}\.{3}x{38}z, 10s elapsed\]$/);
});

test.each([
  [0, "0s"],
  [59_400, "59s"],
  [60_000, "1m0s"],
  [3_661_000, "1h1m1s"],
])("formats %d ms as %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test("formats the counts of a run as Terraform does", () => {
  const counts = { import: 0, add: 1, change: 2, destroy: 3 };
  expect(formatCompletion("apply", counts)).toBe(
    "Apply complete! Resources: 1 added, 2 changed, 3 destroyed.",
  );
  expect(formatCompletion("destroy", counts)).toBe("Destroy complete! Resources: 3 destroyed.");
});
