import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { TestTerminal } from "../cli/test-terminal";
import { packedPackage } from "../support/packed-package";
import { checkSteps, readWorkflow, trustedSteps } from "../support/workflow";

const FOLDER = join(packedPackage().modules, "cdktf-console/examples/workflows");
const workflows = readdirSync(FOLDER).filter((file) => /\.ya?ml$/.test(file));
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");

/** Every text of a document that calls our command, as the words behind its name. */
function commandsIn(value: unknown): string[][] {
  if (typeof value === "string") {
    return [...value.matchAll(/npx cdktf-console ([^\n>|&]+)/g)].map(([, words = ""]) =>
      words.trim().split(/\s+/),
    );
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(commandsIn)
    : [];
}

describe.each(workflows)("%s", (file) => {
  const commands = commandsIn(parse(read(file)));

  test("plans, refuses what weakens protection, shows changes of the contract, and applies the plan", () => {
    const called = new Set(commands.map(([command = ""]) => command));
    called.delete("synth");
    called.delete("show");
    called.delete("validate");
    expect(called).toEqual(new Set(["plan", "apply", "protection"]));
    expect(read(file)).toContain("protection diff base/protection.yaml protection.yaml");
    expect(read(file)).toMatch(/--fail-on weaker|--review-json/);
  });

  test.each(commands.map((words) => [words.join(" "), words] as const))(
    "%s: there is such a command, with these options",
    async (_, [command = "", ...words]) => {
      const terminal = new TestTerminal({ directory: FOLDER });
      expect(await terminal.run(command, "--help-all")).toBe(0);
      for (const option of words.filter((word) => word.startsWith("--"))) {
        expect(terminal.out).toContain(`  ${option} `);
      }
    },
  );

  test("has no secrets in its text", () => {
    expect(read(file)).not.toMatch(/(PASSWORD|TOKEN): (?!\$)/);
  });
});

describe("github-actions.yml", () => {
  const { workflow, steps } = readWorkflow(read("github-actions.yml"));

  test("pins actions to commits, keeps no credentials, and puts no input of others into scripts", () => {
    checkSteps(steps);
  });

  test("passes secrets to plan and apply only, not to the app or to npm", () => {
    expect(JSON.stringify(workflow.env)).not.toContain("secrets.");
    const trusted = trustedSteps(steps);
    expect(trusted).toEqual(["Plan", "Plan again", "Apply"]);
    for (const { run = "" } of steps.filter(({ name }) => trusted.includes(name))) {
      expect(run).toMatch(/^npx cdktf-console (plan .*--out-dir|apply plan\.bin)/);
    }
  });

  test("has the permissions of its jobs only", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(workflow.jobs.plan?.permissions).toEqual({ contents: "read", "pull-requests": "write" });
    expect(workflow.jobs.apply?.permissions).toEqual({ contents: "read", actions: "read" });
  });

  test("keeps a plan for the apply only if it passed, by the name of the whole tree", () => {
    const [plan, apply] = [workflow.jobs.plan!, workflow.jobs.apply!];
    const kept = plan.steps.filter(({ with: given }) => given?.path === "plan.bin");
    expect(kept).toMatchObject([{ with: { name: "plan-${{ steps.base.outputs.tree }}" } }]);
    expect(kept[0]).not.toHaveProperty("if");
    expect(JSON.stringify(apply.steps)).toContain("git rev-parse 'HEAD^{tree}'");
  });
});
