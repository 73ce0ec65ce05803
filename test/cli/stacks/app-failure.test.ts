import { readAppFailure } from "../../../src/cli/stacks/app-failure";

const UNCAUGHT = `starting
/srv/app/node_modules/cdktf/lib/errors.ts:216
  new Error(\`Validation failed
  ^


Error: Validation failed with the following errors:
  [production/license] key: Secret as plain text. Use Secret.fromEnv("NAME"). (stack.ts:7)
  [production/policies] policies[0].checks["a b"]: Invalid attribute value. Must be a number. (stack.ts:9)
  [production] [west/license] tenants.yaml:12: key: Missing value. Set it.
  [production] There is no provider
  for this stack.

If you wish to ignore these validations, pass 'skipValidation: true' to your App configuration.

    at TerraformStack.runAllValidations (/srv/app/node_modules/cdktf/lib/terraform-stack.ts:467:35)
    at Object.<anonymous> (/srv/app/main.ts:16:11)

Node.js v20.20.2
`;

test("reads the errors of all constructs, with their lines", () => {
  const { findings, text } = readAppFailure(UNCAUGHT, "/srv/app");
  expect(findings).toEqual([
    {
      severity: "error",
      summary: "Secret as plain text",
      detail: 'Use Secret.fromEnv("NAME").',
      constructPath: "production/license",
      path: ["key"],
      source: "stack.ts:7",
    },
    {
      severity: "error",
      summary: "Invalid attribute value",
      detail: "Must be a number.",
      constructPath: "production/policies",
      path: ["policies", 0, "checks", "a b"],
      source: "stack.ts:9",
    },
    {
      severity: "error",
      summary: "Missing value",
      detail: "Set it.",
      constructPath: "west/license",
      path: ["key"],
      source: "tenants.yaml:12",
    },
    {
      severity: "error",
      summary: "Invalid construct",
      detail: "There is no provider\n  for this stack.",
      constructPath: "production",
    },
  ]);
  expect(text).toBe("starting");
});

test("ends an uncaught error with its message and the user's line", () => {
  const output = `/srv/app/stack.ts:3
    throw new TypeError("no such region");
          ^

TypeError: no such region
    at read (/srv/app/node_modules/lib/index.js:1:1)
    at build (/srv/app/stack.ts:3:11)
    at node:internal/main:1:1

Node.js v22.1.0
`;
  expect(readAppFailure(output, "/srv/app")).toEqual({
    findings: [],
    text: "TypeError: no such region\n    at stack.ts:3",
  });
});

test("keeps the output of programs that are not Node", () => {
  const output = "Traceback (most recent call last):\n  File main.py\nKeyError: 'x'";
  expect(readAppFailure(`${output}\n`, "/srv/app")).toEqual({ findings: [], text: output });
});

test("leaves out the members of an error, but not its cause", () => {
  const output = `Error: bad
    at f (/srv/app/main.ts:2:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'EACCES',
  problems: [ { line: 1 } ],
  [cause]: Error: refused
      at g (/srv/app/main.ts:1:1)
}

Node.js v20.20.2
`;
  expect(readAppFailure(output, "/srv/app")).toEqual({
    findings: [],
    text: "Error: bad\n    at main.ts:2\nCause: Error: refused",
  });
});

test("reads the errors of a file of tenants", () => {
  const output = `TenantFileError: tenants.csv has 2 errors:
  tenants.csv:1: the column "label.ring" is unknown; did you mean "labels.ring"?
  tenants.csv:2: url is missing; each tenant needs it
    at readTenants (/srv/app/node_modules/cdktf-console/dist/index.js:1:1)
    at t.ts:4
`;
  const { findings, text } = readAppFailure(output, "/srv/app");
  expect(findings.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
    'Invalid file of tenants: tenants.csv:1: the column "label.ring" is unknown; did you mean "labels.ring"?',
    "Invalid file of tenants: tenants.csv:2: url is missing; each tenant needs it.",
  ]);
  expect(text).toBe("");
});
