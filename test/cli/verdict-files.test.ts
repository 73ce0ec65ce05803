import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourcePlaces } from "../../src/cli/stacks/source-places";
import { policyChange } from "../review/entries/changes";
import { stackPlan } from "../review/plans";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const PROGRAM = 'const app = new App();\nnew Set(stack, "policies", {});\n';

test("plan writes SARIF and JUnit, also if nothing could be planned", async () => {
  const directory = temporaryFolder();
  writeStacks(directory, { one: { resource: { null_resource: { gate: {} } } } });
  const files = ["--sarif", "r.sarif", "--junit", "r.xml"];
  const plan = async (...argv: readonly string[]) => {
    const terminal = new TestTerminal({ directory });
    return terminal.run("plan", "--out-dir", "cdktf.out", ...files, ...argv);
  };
  expect(await plan()).toBe(0);
  expect(readFileSync(join(directory, "r.sarif"), "utf8")).toContain('"results":[]');
  expect(readFileSync(join(directory, "r.xml"), "utf8")).toContain('failures="0"');
  expect(await plan("no-such-stack")).toBe(1);
  expect(readFileSync(join(directory, "r.sarif"), "utf8")).toContain("planning-failed");
});

describe("the place of a finding", () => {
  const change = policyChange([], [], { constructPath: "production/policies" });
  const plans = [stackPlan([change], { stack: "production" })];
  const at = (app: string | undefined, address = change.address) => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, "main.ts"), PROGRAM);
    if (app !== undefined) writeFileSync(join(directory, "cdktf.json"), JSON.stringify({ app }));
    return sourcePlaces(directory, plans)({ stack: "production", address, text: "" });
  };

  test.each([
    ["the line of the construct", "npx tsx main.ts", { file: "main.ts", line: 2 }],
    ["cdktf.json without a program", "./run", { file: "cdktf.json", line: 1 }],
    ["cdktf.json if the program is missing", "npx tsx other.ts", { file: "cdktf.json", line: 1 }],
    ["cdktf.json without a project", undefined, { file: "cdktf.json", line: 1 }],
  ])("is %s", (_, app, place) => {
    expect(at(app)).toEqual(place);
  });

  test("is the line of a contract that cannot be read", async () => {
    const directory = temporaryFolder();
    writeStacks(directory, { one: { resource: { null_resource: { gate: {} } } } });
    writeFileSync(join(directory, "rules.yaml"), "version: 1\nrequires: []\n");
    const terminal = new TestTerminal({ directory });
    const argv = ["--out-dir", "cdktf.out", "--contract", "rules.yaml", "--sarif", "r.sarif"];
    expect(await terminal.run("plan", ...argv)).toBe(1);
    const { runs } = JSON.parse(readFileSync(join(directory, "r.sarif"), "utf8")) as {
      runs: { results: { locations: unknown }[] }[];
    };
    expect(runs[0]?.results.map(({ locations }) => locations)).toEqual([
      [{ physicalLocation: { artifactLocation: { uri: "rules.yaml" }, region: { startLine: 2 } } }],
    ]);
  });
});
