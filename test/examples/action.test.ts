import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { packedPackage } from "../support/packed-package";

const TEXT = readFileSync(join(__dirname, "../../action.yml"), "utf8");
const STEP = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  shell: z.literal("bash"),
  "working-directory": z.string().optional(),
  env: z.record(z.string(), z.string()).prefault({}),
  run: z.string(),
});
const ACTION = z.strictObject({
  name: z.string(),
  description: z.string().max(125),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean().optional(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(STEP) }),
});
const action = ACTION.parse(parse(TEXT));
const { steps } = action.runs;

describe("action.yml", () => {
  test("puts no input of others into scripts, and gives the token to the comment only", () => {
    for (const { run } of steps) expect(run).not.toContain("${{");
    const trusted = steps.filter(({ env }) => JSON.stringify(env).includes("inputs.token"));
    expect(trusted.map(({ name }) => name)).toEqual(["Comment"]);
  });

  test("refers to inputs and outputs that there are", () => {
    const named = (context: string) =>
      [...TEXT.matchAll(new RegExp(`\\b${context}\\.([\\w-]+)`, "g"))].map(([, name]) => name);
    expect(new Set(named("inputs"))).toEqual(new Set(Object.keys(action.inputs)));
    const written = steps.map(({ run }) => run).join("\n");
    for (const name of named("outputs")) expect(written).toContain(`${name}=$`);
  });

  test("calls the command with options that it has", async () => {
    const terminal = new TestTerminal({ directory: __dirname });
    expect(await terminal.run("review", "--help-all")).toBe(0);
    const options = steps.find(({ name }) => name === "Review")?.run.match(/--[a-z-]+(?= ["$])/g);
    for (const option of options ?? []) expect(terminal.out).toContain(`  ${option} `);
    expect(new Set(options)).toEqual(
      new Set(["--fail-on", "--contract", "--allow-weaker", "--html", "--markdown"]),
    );
  });
});

/** A comment of an earlier run, and what the command for GitHub was called with. */
interface Runner {
  readonly folder: string;
  readonly calls: () => string;
  readonly environment: Readonly<Record<string, string>>;
}

function runner(earlierComment: string): Runner {
  const folder = temporaryFolder();
  for (const name of ["bin", "temp", "plans/deep"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const gh = join(folder, "bin/gh");
  writeFileSync(
    gh,
    `#!/bin/sh\necho "$*" >> "${folder}/calls"\ncase "$*" in *--jq*) echo "${earlierComment}";; esac\n`,
  );
  chmodSync(gh, 0o755);
  return {
    folder,
    calls: () => readFileSync(join(folder, "calls"), "utf8"),
    environment: {
      PATH: [join(folder, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: folder,
      GITHUB_ACTION_PATH: join(packedPackage().modules, "cdktf-console"),
      GITHUB_REPOSITORY: "example/network",
      GITHUB_OUTPUT: join(folder, "outputs"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      RUNNER_TEMP: join(folder, "temp"),
    },
  };
}

/** Runs the steps as GitHub does, each in its shell, until one fails. Returns its name, and the log. */
async function run({ folder, environment }: Runner, given: Readonly<Record<string, string>>) {
  const outputs = new Map<string, string>();
  const filled = (text: string) =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
      const [context = "", ...path] = expression.split(".");
      if (context === "inputs") {
        const [name = ""] = path;
        return given[name] ?? action.inputs[name]?.default ?? "";
      }
      return context === "steps" ? (outputs.get(path.at(-1) ?? "") ?? "") : "7";
    });
  let log = "";
  for (const step of steps) {
    if (step.if?.startsWith("inputs.comment == 'true'") && given.comment === "false") continue;
    const { "working-directory": cwd } = step;
    const env = Object.entries(step.env).map(([name, text]) => [name, filled(text)] as const);
    const failed = await new Promise<boolean>((resolve) => {
      const argv = ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
      const options = {
        cwd: cwd === undefined ? folder : filled(cwd),
        env: { ...environment, ...Object.fromEntries(env) },
      };
      execFile("bash", argv, options, (failure, stdout, stderr) => {
        log += stdout + stderr;
        resolve(failure !== null);
      });
    });
    if (failed) return { failed: step.name, log };
    if (step.id === undefined) continue;
    for (const line of readFileSync(join(folder, "outputs"), "utf8").trim().split("\n")) {
      const [name = "", ...value] = line.split("=");
      outputs.set(name, value.join("="));
    }
  }
  return { failed: undefined, log, outputs };
}

const address = { mode: "managed", type: "net_rule", name: "a", address: "net_rule.a" };

function writePlan(folder: string, name: string, resource: object): void {
  const plan = { format_version: "1.2", planned_values: {}, resource_changes: [resource] };
  writeFileSync(join(folder, `plans/${name}.json`), JSON.stringify(plan));
}

const OPENED = { actions: ["update"], before: { port: 443 }, after: { port: 80 } };

/** The update of a set by which a check does less. */
function weakening() {
  const policies = (checks: object) => [{ name: "all", disabled: false, resources: {}, checks }];
  const side = (checks: object) => ({ ownership: "exclusive", policies: policies(checks) });
  return {
    ...address,
    type: "cwp_compliance_policy_set",
    address: "cwp_compliance_policy_set.a",
    provider_name: "registry.terraform.io/cdktf-console/cwp",
    change: {
      actions: ["update"],
      before: side({ 599: true }),
      after: side({ 599: false }),
    },
  };
}

test("comments the review of the plans of any provider", async () => {
  const machine = runner("");
  writePlan(machine.folder, "one", { ...address, change: OPENED });
  writePlan(machine.folder, "deep/two words", { ...address, change: OPENED });
  const { failed, log, outputs } = await run(machine, { plans: "plans/**/*.json none/*.json" });
  expect(failed).toBeUndefined();
  expect(log).toContain("All 2 stacks: two words, one");
  const page = readFileSync(join(outputs!.get("folder")!, "plan.html"), "utf8");
  expect(page).toContain("net_rule.a");
  const summary = readFileSync(join(machine.folder, "summary"), "utf8");
  expect(summary).toMatch(/^### Plan: 0 to add, 2 to change, 0 to destroy/);
  expect(machine.calls()).toMatch(/pr comment 7 --repo example\/network --body-file plan\.md\n$/);
});

test("updates its comment, and fails if protection gets weaker", async () => {
  const machine = runner("42");
  writePlan(machine.folder, "prod", weakening());
  const { failed, log } = await run(machine, { plans: "plans/prod.json", "fail-on": "weaker" });
  expect(failed).toBe("Gate");
  expect(log).toContain("Protection: 1 weaker");
  expect(machine.calls()).toMatch(/PATCH repos\/example\/network\/issues\/comments\/42 --field/);
  const given = { plans: "plans/*.json", "fail-on": "weaker", comment: "false" };
  const unmatched = await run(machine, { ...given, "allow-weaker": "test-* prod" });
  expect(unmatched.failed).toBe("Gate");
  expect(unmatched.log).toContain('--allow-weaker "test-*" matches no stack');
  expect((await run(machine, { ...given, "allow-weaker": "pr*" })).failed).toBeUndefined();
});

test.each([
  ["no/*.json", "Review", "::error::No file matches"],
  ["summary.json", "Gate", "summary.json: no such file"],
])("fails if the plans are %s", async (plans, step, message) => {
  const { failed, log } = await run(runner(""), { plans });
  expect(failed).toBe(step);
  expect(log).toContain(message);
});
