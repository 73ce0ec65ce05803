import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";

const EXAMPLE = join(__dirname, "../../examples/tenants");

/** The example, which is compiled once because each command starts it, with the packed package. */
let program: string;
let app: string;
beforeAll(() => {
  const project = mkdtempSync(join(tmpdir(), "cdktf-console-tenants-"));
  symlinkSync(packedPackage().modules, join(project, "node_modules"));
  const { code } = transformSync(readFileSync(join(EXAMPLE, "main.ts"), "utf8"), {
    loader: "ts",
    format: "cjs",
  });
  program = join(project, "main.js");
  writeFileSync(program, code);
  app = `${process.execPath} ${program}`;
});

const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
  TENANT_2_PASSWORD: "staple-of-tenant-2",
};

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator({ tenants: 3 });
  directory = temporaryFolder();
  writeTenants({});
});
afterEach(() => simulator.close());

/** Writes a row for each console; `more` has members of rows by their number. */
function writeTenants(more: Readonly<Record<number, object>>, count = 3): void {
  const rows = simulator.consoles.slice(0, count).map(({ url }, at) => ({
    name: `tenant-${at + 1}`,
    url,
    ...(at === 1 && { secrets: { password: "TENANT_2_PASSWORD" } }),
    ...more[at + 1],
  }));
  writeFileSync(join(directory, "tenants.json"), JSON.stringify({ tenants: rows }, undefined, 2));
}

async function run(environment: Record<string, string>, ...command: string[]) {
  const terminal = new TestTerminal({
    directory,
    environment: {
      ...environment,
      TENANTS_FILE: "tenants.json",
      CONSOLE_CA_FILE: simulator.caFile,
    },
  });
  const code = await terminal.run(...command, "--app", app);
  return { code, out: terminal.out, err: terminal.err };
}

const policies = (tenant: number) =>
  simulator.consoles[tenant - 1]?.console.policies().map(({ name }) => name);

test("import takes the file of tenants, and imports one object into the stack of each", async () => {
  expect((await run(SECRETS, "apply", "-y")).code).toBe(0);
  const address = "tenant/policies";
  for (const at of [1, 2, 3]) {
    const removed = await run(SECRETS, "state", "rm", "--stack", `tenant-${at}`, address);
    expect(removed.code).toBe(0);
  }
  const only: Record<string, string> = { ...SECRETS };
  delete only.TENANT_2_PASSWORD;
  const two = await run(only, "import", "--tenants", "tenants.json", address);
  expect(two).toMatchObject({ code: 1 });
  expect(two.out).toContain("Imported into 2 of 3 stacks.");
  expect(two.err).toContain("Stack tenant-2");
  expect(two.err).not.toContain("tenant-1");
  writeFileSync(
    join(directory, "second.csv"),
    `name,url\ntenant-2,${simulator.consoles[1]?.url}\n`,
  );
  const second = await run(SECRETS, "import", "--tenants", "second.csv", address);
  expect(second).toMatchObject({ code: 0, err: "" });
  const planned = await run(SECRETS, "plan");
  expect(planned.out).toContain("No changes");
});

test.each([
  [["import", "tenant-1"], "Missing address"],
  [["import", "--tenants", "tenants.json", "tenant-1", "policies", "container"], "Too many"],
  [["import", "--tenants", "none.csv", "policies"], "none.csv: no such file or directory"],
  [
    ["import", "--tenants", "empty.csv", "policies"],
    "empty.csv:1: the file has no tenant; add a row",
  ],
])("%j is refused", async (command, reason) => {
  writeFileSync(join(directory, "empty.csv"), "name,url\n");
  const { code, err } = await run(SECRETS, ...command);
  expect(code).toBe(1);
  expect(err).toContain(reason);
});

describe("a tenant whose row has an error", () => {
  const ROW = { settings: { policies: { policies: [{ name: "", checks: { 41: true } }] } } };
  /** Releases after 20.04 have no credentials in specifications. */
  const specification = { registry: "r.example.com", repository: "*", tag: "*" };
  const RELEASE = {
    settings: {
      registryScan: { specifications: [{ ...specification, credential: { type: "gcr" } }] },
    },
  };

  test.each([
    ["its schema", ROW, "Invalid row of a tenant"],
    ["its release", RELEASE, "Inline credentials: not in release 20.12 (section 9.1.2)"],
  ])("of %s is excluded by name, and uses no budget", async (_, row, reason) => {
    writeTenants({ 2: { ...row, secrets: { password: "TENANT_2_PASSWORD" } } });
    const limited = ["apply", "-y", "--waves", "1,100%", "--max-failures", "0"];
    const counted = await run(SECRETS, ...limited, "--count-excluded");
    expect(counted.err).toContain("1 of 3 stacks failed or were excluded");
    expect(policies(1)).not.toContain("No root in production");
    const { code, out, err } = await run(SECRETS, ...limited);
    expect(code).toBe(1);
    expect(out).toContain(`Excluded: 1 of 3 stacks\n  - ${reason} (1): tenant-2\n`);
    if (row === ROW) expect(err).toMatch(/tenants\.json:\d+: policies\[0\]\.name: /);
    expect(policies(1)).toContain("No root in production");
    expect(policies(2)).not.toContain("No root in production");
    expect(policies(3)).toContain("No root in production");
    const alone = await run(SECRETS, "plan", "tenant-2");
    expect(alone).toMatchObject({ code: 1 });
    expect(alone.out).not.toContain("Plan:");
    const validated = await run(SECRETS, "validate");
    expect(validated.code).toBe(1);
  });

  test("in all rows stops the run", async () => {
    writeTenants({ 1: ROW, 2: ROW, 3: ROW });
    const { code, out } = await run(SECRETS, "plan");
    expect(code).toBe(1);
    expect(out).not.toContain("Plan:");
  });
});

describeWithTerraform("a tenant whose row has an error, under Terraform", () => {
  test("is refused, and not destroyed", async () => {
    await run(SECRETS, "apply", "--auto-approve");
    writeTenants({ 2: { removed: "perhaps" } });
    const applied = await run(SECRETS, "apply", "-y", ...TERRAFORM.split(" "));
    expect(applied.code).toBe(1);
    expect(applied.err).toContain("removed must be true or false");
    expect(policies(2)).toContain("No root in production");
  });
});

describe("a tenant that leaves", () => {
  test("keeps its stack and state until all is destroyed, and then its state is listed", async () => {
    expect((await run(SECRETS, "apply", "--auto-approve")).code).toBe(0);
    expect(policies(1)).toContain("No root in production");
    expect(policies(3)).toContain("No root in production");

    writeTenants({ 3: { removed: true } });
    const { CONSOLE_PASSWORD, TENANT_2_PASSWORD } = SECRETS;
    const planned = await run(SECRETS, "plan");
    expect(planned.out).toContain("Total of 3 stacks: 0 to add, 0 to change, 5 to destroy.");
    // Its license is not needed anymore.
    const applied = await run(
      { CONSOLE_PASSWORD, TENANT_2_PASSWORD },
      "apply",
      "tenant-3",
      "--auto-approve",
    );
    expect(applied.code).toBe(0);
    expect(applied.out).toContain("5 destroyed");
    expect(policies(3)).not.toContain("No root in production");
    expect(policies(1)).toContain("No root in production");
    expect((await run(SECRETS, "plan", "--detailed-exitcode")).code).toBe(0);

    writeTenants({}, 2);
    const { out } = await run({}, "stacks");
    expect(out).toContain("\nStates without a stack:\n  terraform.tenant-3.tfstate\n");
  });
});

describe("--secrets-command", () => {
  /** A command that records what it gets, and answers with `answer`. */
  function command(answer: string): string {
    const file = join(directory, "secrets command.cjs");
    writeFileSync(
      file,
      `const input = require("node:fs").readFileSync(0, "utf8");
      require("node:fs").writeFileSync("asked.json", JSON.stringify({
        names: JSON.parse(input), argument: process.argv[2], environment: process.env,
      }));
      console.error("looking for secrets");
      ${answer}`,
    );
    return `${process.execPath} '${file}' "\\$HOME *"`;
  }
  const asked = () =>
    JSON.parse(readFileSync(join(directory, "asked.json"), "utf8")) as {
      names: string[];
      argument: string;
      environment: Record<string, string>;
    };
  const print = (secrets: object) => `console.log(${JSON.stringify(JSON.stringify(secrets))})`;

  test("gives the secrets that are not set otherwise, and sees none of the others", async () => {
    const { CONSOLE_PASSWORD, ...others } = SECRETS;
    const given = { TF_VAR_CONSOLE_PASSWORD: CONSOLE_PASSWORD, OTHER: "kept" };
    const secrets = ["--secrets-command", command(print(others))];
    const { code, out, err } = await run(given, "apply", "--auto-approve", ...secrets);
    expect(err).toContain("looking for secrets");
    expect(code).toBe(0);
    expect(asked().names).toEqual(["CONSOLE_LICENSE_KEY", "TENANT_2_PASSWORD"]);
    expect(asked().argument).toBe("$HOME *");
    expect(asked().environment).toMatchObject({ OTHER: "kept" });
    expect(asked().environment).not.toHaveProperty("TF_VAR_CONSOLE_PASSWORD");
    expect(policies(2)).toContain("No root in production");

    await run(given, "plan", "--out", "saved.plan", ...secrets);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "secrets command.cjs")
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(files.length).toBeGreaterThan(6);
    for (const text of [out, err, ...files]) {
      for (const secret of Object.values(SECRETS)) expect(text.includes(secret)).toBe(false);
    }
  });

  describeWithTerraform("under --engine terraform", () => {
    test("gives the secrets to Terraform, and shows none", async () => {
      const secrets = ["--secrets-command", command(print(SECRETS)), ...TERRAFORM.split(" ")];
      const { code, out, err } = await run({}, "apply", "--auto-approve", ...secrets);
      expect(err).toContain("looking for secrets");
      expect(code).toBe(0);
      expect(asked().names).toEqual(Object.keys(SECRETS).sort());
      expect(policies(2)).toContain("No root in production");
      const again = await run({}, "plan", "--detailed-exitcode", ...secrets);
      expect(again.code).toBe(0);
      for (const text of [out, err, again.out, again.err]) {
        for (const secret of Object.values(SECRETS)) expect(text.includes(secret)).toBe(false);
      }
    });
  });

  test("that lacks the secret of a tenant excludes this tenant only", async () => {
    const answer = print({ ...SECRETS, TENANT_2_PASSWORD: null });
    const { code, out } = await run(
      {},
      "apply",
      "--auto-approve",
      "--secrets-command",
      command(answer),
    );
    expect(code).toBe(1);
    expect(out).toContain("Excluded: 1 of 3 stacks\n  - Secret was not found (1): tenant-2\n");
    expect(policies(1)).toContain("No root in production");
    expect(policies(2)).not.toContain("No root in production");
  });

  test.each([
    ["the embedded engine", []],
    ["--engine terraform", TERRAFORM.split(" ")],
  ])("that is missing excludes the tenant whose variable is not set, %s", async (_, engine) => {
    const { TENANT_2_PASSWORD: left, ...others } = SECRETS;
    const { code, out, err } = await run(others, "apply", "--auto-approve", ...engine);
    expect(left).toBeDefined();
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toContain('variable "TENANT_2_PASSWORD" is not set');
    const reason = "No value for required variable (1): tenant-2";
    expect(out).toContain(`Excluded: 1 of 3 stacks\n  - ${reason}\n`);
    expect(policies(1)).toContain("No root in production");
    expect(policies(2)).not.toContain("No root in production");
  });

  test("that is missing stops the run where a variable of several tenants is not set", async () => {
    const { CONSOLE_PASSWORD: left, ...others } = SECRETS;
    const { code, out, err } = await run(others, "plan");
    expect(left).toBeDefined();
    expect(code).toBe(1);
    expect(err).toContain('The variable "CONSOLE_PASSWORD" is not set and has no default.');
    expect(out).not.toContain("Plan:");
  });

  test("that is misused is one error, and nothing is planned", async () => {
    const folder = ["--out-dir", "cdktf.out"];
    expect((await run({}, "synth")).code).toBe(0);
    const faulty: readonly (readonly [string, string, string])[] = [
      [command("process.exit(3)"), "Secrets command failed", "ended with exit code 3"],
      ["no-such-program", "Secrets command failed", "could not be started"],
    ];
    for (const [secrets, summary, detail] of faulty) {
      expect(await refused(secrets, folder)).toEqual([summary, expect.stringContaining(detail)]);
    }
    const invalid = "Invalid answer of the secrets command";
    for (const [answer, detail] of [
      ['console.log("hunter2")', "The output is not JSON."],
      ['console.log("[1]")', "not a JSON object"],
      [print({ CONSOLE_PASSWORD: { text: "hunter2" } }), "not strings: CONSOLE_PASSWORD."],
    ] as const) {
      expect(await refused(command(answer), folder)).toEqual([
        invalid,
        expect.stringContaining(detail),
      ]);
    }
    const open = await plan("get 'secrets", folder);
    expect(open.err).toContain("It must be a program and its arguments, with closed quotes.");
  });

  const plan = async (secrets: string, folder: readonly string[]) => {
    const terminal = new TestTerminal({ directory });
    const code = await terminal.run("plan", ...folder, "--secrets-command", secrets);
    return { code, out: terminal.out, err: terminal.err };
  };

  /** The summary and the detail of the only error. */
  async function refused(secrets: string, folder: readonly string[]): Promise<readonly string[]> {
    const { code, out, err } = await plan(secrets, folder);
    expect(code).toBe(1);
    expect(out + err).not.toContain("hunter2");
    const [summary, ...more] = [...err.matchAll(/^Error: (.*)$/gm)].map(([, text = ""]) => text);
    return [summary ?? "", ...more, err.replace(/\s+/g, " ")];
  }

  test("is not started by synth, nor when all secrets are set", async () => {
    const secrets = ["--secrets-command", command("process.exit(3)")];
    expect((await run({}, "synth")).code).toBe(0);
    expect((await run(SECRETS, "plan", ...secrets)).code).toBe(0);
    expect(readdirSync(directory)).not.toContain("asked.json");
  });
});

test("simulate rehearses the example with a console for each tenant", async () => {
  const cli = [process.execPath, packedPackage().cli];
  const terminal = new TestTerminal({ directory: temporaryFolder() });
  const command = [...cli, "apply", "--auto-approve", "--app", app];
  const code = await terminal.run("simulate", "--tenants", "4", "--", ...command);
  expect(terminal.out).toContain("Total of 4 stacks: 20 added, 0 changed, 0 destroyed.");
  expect(code).toBe(0);
});

test("the tenants of the example are valid", () => {
  const { status, stderr } = spawnSync(process.execPath, [program], {
    cwd: EXAMPLE,
    encoding: "utf8",
    env: { ...process.env, CDKTF_OUTDIR: join(directory, "out") },
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(readdirSync(join(directory, "out/stacks"))).toHaveLength(3);
});
