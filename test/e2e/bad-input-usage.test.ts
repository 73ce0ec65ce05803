import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// Command lines that cannot be carried out: exit code 1, an error on standard error, nothing done.

let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.open();
});
beforeEach(() => {
  workspace.write(workspace.stack());
});
afterEach(() => {
  expect(workspace.requests).toEqual([]);
  expect(workspace.files()).toEqual([]);
});
afterAll(() => workspace.close());

test.each([
  ["pln", "Unknown command 'pln' (Did you mean plan?)"],
  ["state lst", "Unknown command 'lst' (Did you mean list?)"],
  ["plan --bogus", `Unknown option '--bogus' ("cdktf-console plan --help-all" lists the options.)`],
  [
    "plan --detailed-exitcod",
    "Unknown option '--detailed-exitcod' (Did you mean --detailed-exitcode?)",
  ],
  [
    "plan --out-dir",
    `Option '--out-dir <dir>' argument missing (Put its value behind it. "cdktf-console plan --help-all" describes the options.)`,
  ],
  [
    "plan --app x --out-dir y",
    "Option '--app <command>' cannot be used with option '--out-dir <dir>' (Use one of them.)",
  ],
  [
    "apply --parallelism 0",
    "Option '--parallelism <count>' argument '0' is invalid. It must be a whole number, 1 or more.",
  ],
  [
    "plan --refresh maybe",
    "Option '--refresh <boolean>' argument 'maybe' is invalid. Allowed choices are true, false.",
  ],
  [
    "plan --lock-timeout soon",
    "Option '--lock-timeout <duration>' argument 'soon' is invalid. It must be a duration such as 30s, 5m or 1h30m.",
  ],
  [
    "state show",
    "Missing required argument 'address' (Usage: cdktf-console state show [options] <address>)",
  ],
  [
    "state rm",
    "Missing required argument 'addresses' (Usage: cdktf-console state rm [options] <addresses...>)",
  ],
  [
    "output a b",
    "Too many arguments for 'output'. Expected 1 argument but got 2. (Not expected: b. Usage: cdktf-console output [options] [name])",
  ],
])("%s", async (command, expected) => {
  const run = await workspace.runBare(command);
  expect(run).toMatchObject({ code: 1, out: "" });
  expect(errorsOf(run, workspace)).toEqual([`${expected} |  | `]);
});

test.each([
  ["plan other", 'No such stack |  | There is no stack named "other". The stacks are: prod.'],
  [
    "apply prd --auto-approve",
    'No such stack |  | There is no stack named "prd". Did you mean "prod"? The stacks are: prod.',
  ],
  [
    "state list --stack prd",
    'No such stack |  | There is no stack named "prd". Did you mean "prod"? The stacks are: prod.',
  ],
  [
    "apply --no-input",
    'Not approved |  | With --no-input there are no questions, so the plan cannot be approved interactively. Review it with "plan", then apply with --auto-approve.',
  ],
  [
    "apply nope.plan",
    'Plan file cannot be read |  | nope.plan: no such file or directory. Correct the name; the folder ~ does not have it. Save a plan there with "plan --out nope.plan", or name a stack.',
  ],
  [
    "destroy --stacks-from -",
    'Not approved |  | With --stacks-from - standard input has the list of stacks, so the plan cannot be approved interactively. Review it with "plan", then destroy with --auto-approve.',
  ],
  [
    "force-unlock",
    "Either a lock or a run |  | Give the ID of one lock, or with --run the run whose locks are released.",
  ],
  [
    "force-unlock 11111111-2222-3333-4444-555555555555 --no-input",
    "Not confirmed |  | With --no-input there are no questions, so the removal of the lock cannot be confirmed. Use --force to skip the confirmation.",
  ],
  [
    "force-unlock 11111111-2222-3333-4444-555555555555 --force",
    "State is not locked |  | There is no lock file ~/terraform.prod.tfstate.lock, so there is nothing to release.",
  ],
  [
    "show none.tfstate",
    "File cannot be read |  | ~/none.tfstate: no such file or directory. Correct the name; the folder ~ does not have it. To show the state of a stack, name it with --stack.",
  ],
  ["output nope", expect.stringMatching(/^Output "nope" not found \| {2}\| /) as string],
  [
    "state show cwp_license.other",
    'No such object |  | The state has no object at cwp_license.other. "state list" shows the addresses that it has. Name one of several instances with its key, as in cwp_license.main["a"].',
  ],
  [
    "state rm cwp_license.other",
    'No such object |  | The state has no object at cwp_license.other, so it was not changed. "state list" shows the addresses that it has.',
  ],
  [
    "state rm polices",
    'Invalid address |  | "polices" is neither the address of a resource, such as cwp_license.main or null_resource.gate[0], nor the path of its construct. Did you mean "policies"?',
  ],
])("%s", async (command, expected) => {
  const run = await workspace.run(command);
  expect(run.out).toBe("");
  expect(errorsOf(run, workspace)).toEqual([expected]);
});

test.each([
  ["--port 99999", "Invalid option |  | The port must be 0 to 65535, not 99999."],
  [
    "--port 0 --signed-up admin",
    "Invalid option |  | --signed-up must be USER:PASS, with both parts set, as in admin:a-long-password.",
  ],
  [
    "--port 0 --fault x",
    'Invalid fault |  | The fault "x" cannot be read: write TARGET:PARTS or TARGET:PARTS:TIMES.',
  ],
  [
    "--port 0 --fault *:status=9",
    'Invalid fault |  | The fault "*:status=9" cannot be read: status must be 200 to 599, not "9".',
  ],
])("simulate %s", async (options, expected) => {
  const run = await workspace.runBare(`simulate ${options}`);
  expect(run.out).toBe("");
  expect(errorsOf(run, workspace)).toEqual([expected]);
});

test("changes nothing without the answer yes", async () => {
  const fresh = await Workspace.open();
  const terminal = fresh.terminal(["y"]);
  expect(await terminal.run("apply", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.out).toMatch(/\nApply cancelled\.\n$/);
  expect(fresh.files()).toEqual([]);
  expect(new Set(fresh.requests)).toEqual(
    new Set(["GET /api/v1/_ping", "POST /api/v1/authenticate"]),
  );
  await fresh.close();
});
