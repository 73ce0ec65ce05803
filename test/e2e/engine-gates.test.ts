import { delimiter, dirname } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  consoleStack,
  PASSWORD,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "../cli/stack-files";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { closedPort } from "../support/closed-port";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";

// Options that end a run early are the same under all engines.

jest.setTimeout(600_000);

const PATH = process.env.PATH ?? "";
const FIRST = { name: "first", checks: { "41": true } };
/** All its workloads are decided by the one before. */
const LATE = { name: "late", checks: { "41": true, "5": true } };

let simulator: Simulator;
beforeEach(async () => {
  const signedUp = { username: "admin", password: PASSWORD };
  simulator = await startSimulator({ tenants: 3, signedUp, licensed: true });
});
afterEach(async () => {
  process.env.PATH = PATH;
  await simulator.close();
});

/** A stack that manages the policies of a console. */
function policiesOf(at: number, policies: readonly object[] = [FIRST], url?: string): StackJson {
  const served = simulator.consoles[at] ?? simulator.consoles[0];
  const console = { url: url ?? served.url };
  const stack = consoleStack({ consoles: [console], caFile: simulator.caFile });
  return { ...stack, resource: { cwp_compliance_policy_set: { policies: { policies } } } };
}

function commandsOver(stacks: Parameters<typeof writeStacks>[1]) {
  const directory = temporaryFolder();
  const outDir = writeStacks(directory, stacks);
  return (command: string) =>
    startCli([...command.split(" "), "--with-null", "--out-dir", outDir], {
      cwd: directory,
      environment: { ...SECRETS, TF_CLI_CONFIG_FILE: "/dev/null" },
    }).ended;
}

const namesAt = (at: number) => simulator.consoles[at]?.console.policies().map(({ name }) => name);

function gatesOf(engine: string): void {
  test("--strict refuses a policy that never decides, and changes nothing", async () => {
    const run = commandsOver({ prod: policiesOf(0, [FIRST, LATE]) });
    const warned = await run(`plan --engine ${engine}`);
    expect(warned).toMatchObject({ code: 0, err: "" });
    expect(warned.out).toContain('Warning: Policy "late" never decides');
    expect(warned.out.replaceAll(/\s+/g, " ")).toContain('of its scope: policy "first".');
    const embedded = await run("plan --strict");
    const planned = await run(`plan --strict --engine ${engine}`);
    expect(planned.code).toBe(1);
    // Terraform gives the provider neither constructs nor the marks of names.
    expect(planned.err).toBe(embedded.err.replaceAll(/ \((construct [^)]*|"late")\)/g, ""));
    const applied = await run(`apply --auto-approve --strict --engine ${engine}`);
    expect(applied.code).toBe(1);
    expect(namesAt(0)).not.toContain("first");
  });

  test("--fail-fast applies nothing if a stack cannot be planned", async () => {
    const refusing = `https://127.0.0.1:${await closedPort()}`;
    const run = commandsOver({
      good: policiesOf(0),
      wrong: policiesOf(1, [FIRST], refusing),
      dependent: { ...policiesOf(2), dependencies: ["good"] },
    });
    const { code, err } = await run(`apply --auto-approve --fail-fast --engine ${engine}`);
    expect(code).toBe(1);
    expect(err).toContain("Error: Console is not reachable");
    expect(err.replaceAll("\n", " ")).toContain("Not started: dependent.");
    expect(namesAt(0)).not.toContain("first");
    expect(namesAt(2)).not.toContain("first");
    // Without the option, a stack fails alone.
    const alone = await run(`apply --auto-approve --engine ${engine}`);
    expect(alone.code).toBe(1);
    expect([namesAt(0), namesAt(2)]).toEqual([["first"], ["first"]]);
  });
}

describeWithTerraform("gates under terraform", () => {
  gatesOf("terraform");
});

describeWithTofu("gates under tofu", () => {
  beforeEach(() => {
    process.env.PATH = [dirname(TOFU), PATH].join(delimiter);
  });
  gatesOf("tofu");
});
