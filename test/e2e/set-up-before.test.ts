import { Workspace } from "./support/workspace";

// A console that was set up before, and whose license ended: a plan cannot read it.

let workspace: Workspace;

beforeEach(async () => {
  workspace = await Workspace.open();
  const { console } = workspace;
  const condition = { vulnerabilities: [{ id: 599, block: true }] };
  const theirs = { ...console.policies().at(-1), name: "theirs", condition };
  await console.addUser("admin", workspace.environment.TF_VAR_CONSOLE_PASSWORD ?? "");
  await console.edit({
    policies: [theirs, ...console.policies()],
  });
  const stack = workspace.stack();
  const set = { policies: [{ name: "First", checks: { "41": true } }], ownership: "prefix" };
  const policies = { ...set, depends_on: ["cwp_license.license"] };
  workspace.write({
    ...stack,
    resource: { ...(stack.resource as object), cwp_compliance_policy_set: { policies } },
  });
});

afterEach(() => workspace.close());

const names = () => workspace.console.policies().map(({ name }) => name);

/** The command line over the synthesized stacks. */
const words = (command: string) => [...command.split(" "), "--out-dir", "cdktf.out"];

const REVIEWED = /the policies that decide instead|"theirs"/;

test("the review is repeated with its policies, and asked about again", async () => {
  const terminal = workspace.terminal(["yes", "yes"]);
  expect(await terminal.run(...words("apply"))).toBe(0);
  expect(terminal.out.match(/Do you want to perform these actions/g)).toHaveLength(2);
  const [first = "", second = ""] = terminal.out.split("was set up before this run");
  expect(first).not.toMatch(REVIEWED);
  expect(second).toMatch(REVIEWED);
  expect(names()).toEqual(["First", "theirs", ...names().slice(2)]);
});

test("another answer to the repeated review writes no policy", async () => {
  const terminal = workspace.terminal(["yes", "no"]);
  expect(await terminal.run(...words("apply"))).toBe(1);
  expect(names()).not.toContain("First");
});

test("gates judge the repeated review", async () => {
  const gate = "--auto-approve --fail-on weaker";
  const { err } = await workspace.run(`plan ${gate.slice(15)}`);
  const [allowed] = /prod@[0-9a-f]{12}/.exec(err) ?? [];
  const { code } = await workspace.run(`apply ${gate} --allow-weaker ${allowed}`);
  expect(code).toBe(3);
  expect(workspace.stored()).toContain("cwp_license.license");
  expect(names()).not.toContain("First");
});

test("a run log has both, and the second continues it", async () => {
  const { code, out } = await workspace.run("apply --auto-approve --run-log run.jsonl");
  expect(code).toBe(0);
  expect(out).toContain("Resuming: 1 of 1 stack left");
  expect(names()).toContain("First");
});

test("a saved plan is not repeated", async () => {
  await workspace.run("plan --out p.plan");
  const { code, err } = await workspace.runBare("apply p.plan");
  expect(code).toBe(1);
  expect(err).toContain("Create a new plan");
  expect(names()).not.toContain("First");
});
