import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
});
afterEach(() => simulator.close());

async function run(...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run("plan", "--out-dir", "cdktf.out", ...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const read = (file: string) => readFileSync(join(directory, file), "utf8");

test("plan writes both reviews in addition to its text, without secrets", async () => {
  const options = ["--html", "plan.html", "--markdown", "plan.md", "--detailed-exitcode"];
  const { code, out, err } = await run(...options);
  expect({ code, err }).toEqual({ code: 2, err: "" });
  expect(out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
  const [html, markdown] = [read("plan.html"), read("plan.md")];
  expect(markdown).toMatch(/^### Plan: 3 to add, 0 to change, 0 to destroy\n/);
  for (const review of [html, markdown]) {
    expect(review).toContain("cwp_license.license");
    expect(review).not.toContain(PASSWORD);
  }
  expect(html).toContain(simulator.consoles[0].url);
});

test("names unmanaged policies and their place in every format and from a saved plan", async () => {
  const { resource, ...stack } = consoleStack(simulator);
  const policies = (...names: string[]) => ({
    ownership: "prefix",
    policies: names.map((name) => ({ name, checks: { "41": true } })),
    depends_on: ["cwp_license.license"],
  });
  const write = (...names: string[]) =>
    writeStacks(directory, {
      prod: {
        ...stack,
        resource: {
          ...(resource as object),
          cwp_compliance_policy_set: { policies: policies(...names) },
        },
      },
    });
  write("First", "Second");
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  await terminal.run("apply", "--out-dir", "cdktf.out", "--auto-approve");
  write("Second", "First");
  const reviews = ["--html", "plan.html", "--markdown", "plan.md", "--out", "plan.bin"];
  const { out } = await run(...reviews);
  const others = 'ignore own components", "Default - alert on critical and high"';
  expect(out.replaceAll(/\s+(# +)?/g, " ")).toContain(others);
  const note = `(unmanaged policies are behind these and stay unchanged: "Default - ${others})`;
  const unwrapped = (text: string) => text.replaceAll(/\n +# +/g, " ");
  expect(unwrapped(read("plan.md"))).toContain(note);
  expect(read("plan.html")).toContain("… 2 unmanaged");
  const shown = new TestTerminal({ directory, environment: SECRETS });
  expect(await shown.run("show", "plan.bin")).toBe(0);
  expect(unwrapped(shown.out)).toContain(note);
});

test("names removed default policies in every format and from a saved plan", async () => {
  const { resource, ...stack } = consoleStack(simulator);
  const { cwp_compliance_policy_set: policies, ...others } = resource as Record<string, object>;
  writeStacks(directory, { prod: { ...stack, resource: others } });
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  await terminal.run("apply", "--out-dir", "cdktf.out", "--auto-approve");
  const all = { ...others, cwp_compliance_policy_set: policies };
  writeStacks(directory, { prod: { ...stack, resource: all } });
  const reviews = ["--html", "plan.html", "--markdown", "plan.md", "--out", "plan.bin"];
  const { out } = await run(...reviews);
  const shown = new TestTerminal({ directory, environment: SECRETS });
  expect(await shown.run("show", "plan.bin")).toBe(0);
  const unescaped = read("plan.html").replaceAll("&quot;", '"');
  for (const text of [out, shown.out, read("plan.md"), unescaped]) {
    expect(text.replaceAll(/\n +# +/g, " ")).toContain(
      'default policies are removed: "Default - ignore own components", "Default',
    );
  }
});

test("the review of a refresh-only plan names the console", async () => {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  await terminal.run("apply", "--out-dir", "cdktf.out", "--auto-approve");
  await run("--refresh-only", "--markdown", "plan.md", "--html", "plan.html");
  expect(read("plan.html")).toContain(`<li>Console ${simulator.consoles[0].url}</li>`);
});

test("show writes the reviews of a saved plan, and refuses to write one of a state", async () => {
  await run("--out", "plan.bin", "--html", "plan.html", "--markdown", "plan.md");
  const shown = new TestTerminal({ directory, environment: SECRETS });
  expect(await shown.run("show", "plan.bin", "--html", "s.html", "--markdown", "s.md")).toBe(0);
  // Warnings of the run are not in the plan.
  const changes = (file: string) => read(file).split("| Stack |")[1];
  expect(changes("s.md")).toBe(changes("plan.md"));
  expect(read("s.html")).toContain("cwp_compliance_policy_set.policies");
  expect(await shown.run("show", "--html", "state.html", "--out-dir", "cdktf.out")).toBe(1);
  expect(shown.err).toContain("Saved plan required");
  expect(existsSync(join(directory, "state.html"))).toBe(false);
});

describe("if planning fails", () => {
  const options = ["--html", "plan.html", "--markdown", "plan.md"];

  test("the reviews show the error instead of an earlier plan", async () => {
    await run(...options);
    writeStacks(directory, { prod: consoleStack(simulator, "${var.none}") });
    const { code, err } = await run(...options);
    expect(code).toBe(1);
    expect(err).toContain("Error: Reference to undeclared input variable");
    expect(read("plan.md")).toMatch(/^### Planning failed\n[^]*Error: Reference to undeclared/);
    expect(read("plan.html")).toMatch(/<h1>Planning failed<[^]*Error: Reference to undeclared/);
    for (const file of ["plan.md", "plan.html"]) expect(read(file)).not.toContain("to add");
  });

  test("the reviews show the error of the app", async () => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const code = await terminal.run("plan", "--app", "node -e 'process.exit(3)'", ...options);
    expect(code).toBe(1);
    expect(read("plan.md")).toContain("Error: The app failed");
    expect(read("plan.html")).toContain("Error: The app failed");
  });
});
