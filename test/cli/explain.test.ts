import { startSimulator, type Simulator } from "../../src/simulator";
import { SET, WEAKENING } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { consoleEnvironment } from "../support/console-environment";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write(SET);
  expect((await run("apply", "--out-dir", "cdktf.out", "--auto-approve")).code).toBe(0);
  write(WEAKENING.find(([name]) => name.startsWith("half"))?.[1]);
});
afterAll(() => simulator.close());

function write(policies: unknown): void {
  const { resource, ...stack } = consoleStack(simulator);
  const cwp_compliance_policy_set = {
    policies: { policies, depends_on: ["cwp_license.license"] },
  };
  writeStacks(directory, {
    prod: { ...stack, resource: { ...(resource as StackJson), cwp_compliance_policy_set } },
  });
}

async function run(...argv: string[]) {
  const environment = { ...SECRETS, ...consoleEnvironment(simulator) };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const explain = (...argv: string[]) => run("explain", "prod", "--out-dir", "cdktf.out", ...argv);

test("shows which policy decides, on the console and after the plan", async () => {
  const ran = await explain("--namespace", "prod-pay1", "--image", "nginx");
  expect(ran).toEqual({
    code: 0,
    err: "",
    out: `
The image is looked up as docker.io/library/nginx.

On the console now:
  policy 1 ("root") decides
    check 41 blocks
    check 599 blocks

After the plan:
  policy 1 ("half") decides
    check 599 alerts
`,
  });
});

test("answers patterns with the policies that decide for their parts", async () => {
  const { code, err, out } = await explain("--namespace", "prod-*", "--image", "nginx");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`
After the plan:
  for namespaces prod-pay*: policy 1 ("half") decides
    check 599 alerts
  for namespaces prod-*, except namespaces prod-pay*: policy 2 ("root") decides
    check 41 blocks
    check 599 blocks
`);
});

test("prints JSON with the cases that fields left out allow", async () => {
  const { out } = await explain("--namespace", "dev", "--json");
  expect(JSON.parse(out)).toMatchObject({
    now: {
      policy: null,
      cases: [
        {
          policy: "img",
          position: 2,
          where: { all: [{ images: ["trusted/*", "x/*"] }], none: [] },
        },
        { policy: "rest", position: 4 },
      ],
      passed: [
        { policy: "root", fields: ["namespaces"] },
        { policy: "off", disabled: true },
      ],
    },
    planned: {
      cases: [
        { policy: "img", position: 3 },
        { policy: "rest", position: 5 },
      ],
    },
  });
});

test.each([
  [["--namespace=-prod-*"], /A pattern with\s+a dash in front exempts/],
  [["--image", "nginx", "--image", "redis"], /It is given twice/],
])("refuses %j", async (argv, message) => {
  const { code, err } = await explain(...argv);
  expect(code).toBe(1);
  expect(err).toMatch(message);
});

test("asks a console without a stack", async () => {
  const { code, out, err } = await run(
    "explain",
    "--console",
    "--image",
    "trusted/a",
    "--exact-image",
    "--namespace",
    "",
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(`
On the console now:
  policy 2 ("img") decides
    check 41 blocks
    check 51 blocks
  Policies in front that do not match:
    policy 1 ("root"): namespaces
`);
});

test.each([
  [[], "Stack or console expected"],
  [["other", "--out-dir", "cdktf.out"], "other"],
])("refuses %j", async (argv, message) => {
  const { code, err } = await run("explain", ...argv);
  expect(code).toBe(1);
  expect(err).toContain(message);
});
