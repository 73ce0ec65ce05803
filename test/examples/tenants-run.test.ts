import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { startSimulator, type Simulator } from "../../src/simulator";
import { CertificateAuthority } from "../../src/simulator/certificates";
import { LONG_TESTS } from "../support/cases";
import { packedPackage, packedPath } from "../support/packed-package";
import { describeWithPostgres, Postgres } from "../support/postgres";

// The examples for many machines, as they are in the packed package: each shard runs in a new
// checkout, over PostgreSQL.

jest.setTimeout(600_000);

const PACKED = packedPackage();
const EXAMPLES = join(PACKED.modules, "cdktf-console/examples/tenants");
const TENANTS = 6;
const SHARDS = [1, 2, 3, 4];

type Environment = Readonly<Record<string, string | undefined>>;

const text = z.record(z.string(), z.string());
const workflow = z.object({
  jobs: z.object({
    apply: z.object({
      strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }),
      env: text,
      steps: z.array(z.object({ run: z.string().optional(), env: text.optional() })),
    }),
  }),
});
const job = z.object({
  spec: z.object({
    completions: z.number(),
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            command: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
          }),
        ]),
      }),
    }),
  }),
});

const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
};

describeWithPostgres("the examples of many tenants", () => {
  let postgres: Postgres;
  let simulator: Simulator;
  let folder: string;
  /** The environment of the repository, the cluster or the shell. */
  let given: Environment;

  beforeAll(async () => {
    const authority = await CertificateAuthority.create("authority of the test");
    postgres = await Postgres.open(await authority.issueServerCertificate());
    folder = mkdtempSync(join(tmpdir(), "cdktf-console-tenants-"));
    const authorityFile = join(folder, "ca.pem");
    writeFileSync(authorityFile, authority.certificate);
    given = {
      PATH: packedPath(),
      TMPDIR: process.env.TMPDIR,
      HOME: folder,
      ...SECRETS,
      PGHOST: "localhost",
      PGPORT: String(postgres.port),
      PGUSER: "ann",
      PGPASSWORD: postgres.password,
      PGSSLMODE: "verify-full",
      PGSSLROOTCERT: authorityFile,
    };
  });
  afterAll(async () => {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Fresh consoles and a fresh database for one example, and its project with the tenants. */
  async function project(name: string): Promise<string> {
    await postgres.query(`CREATE DATABASE ${name}`);
    given = { ...given, PGDATABASE: name };
    simulator = await startSimulator({ tenants: TENANTS });
    const directory = join(folder, name);
    mkdirSync(directory);
    cpSync(join(EXAMPLES, "shards.sh"), join(directory, "shards.sh"));
    const rows = simulator.consoles.map((one) => `${one.name},${one.url}`);
    writeFileSync(join(directory, "tenants.csv"), ["name,url", ...rows, ""].join("\n"));
    cpSync(join(EXAMPLES, "main.ts"), join(directory, "main.ts"));
    symlinkSync(PACKED.modules, join(directory, "node_modules"));
    const settings = { language: "typescript", app: "npx tsx main.ts" };
    writeFileSync(join(directory, "cdktf.json"), JSON.stringify(settings));
    return directory;
  }
  afterEach(() => simulator.close());

  const synthesize = (directory: string) =>
    run(["npx", "cdktf-console", "synth"], directory, {
      ...given,
      CONSOLE_CA_FILE: simulator.caFile,
    });

  /** Each shard in its copy of the project, as on a machine. */
  function shards(directory: string, name: string, start: (cwd: string, shard: number) => unknown) {
    return Promise.all(
      SHARDS.map(async (shard) => {
        const cwd = `${directory}-${name}-${shard}`;
        cpSync(directory, cwd, { recursive: true });
        await start(cwd, shard);
      }),
    );
  }

  const isDone = () =>
    simulator.consoles.every(({ console }) =>
      console.policies().some(({ name }) => name === "No root in production"),
    );

  async function expectNothingToDo(directory: string): Promise<void> {
    const plan = "plan --out-dir cdktf.out --detailed-exitcode";
    await run(["npx", "cdktf-console", ...plan.split(" ")], directory, given);
    const locks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory'";
    expect(await postgres.query(locks)).toEqual([]);
  }

  test("github-actions.yml applies all tenants in a matrix of jobs", async () => {
    const directory = await project("matrix");
    const source = readFileSync(join(EXAMPLES, "github-actions.yml"), "utf8");
    const { strategy, env, steps } = workflow.parse(parse(source)).jobs.apply;
    expect(strategy.matrix.shard).toEqual(SHARDS);
    await shards(directory, "job", async (cwd, shard) => {
      const matrix = {
        "matrix.shard": String(shard),
        "strategy.job-total": String(strategy.matrix.shard.length),
      };
      const { PATH, HOME, PGPORT, PGSSLROOTCERT } = given;
      const runner = { PATH, HOME, PGPORT, PGSSLROOTCERT, CONSOLE_CA_FILE: simulator.caFile };
      for (const step of steps) {
        if (step.run === undefined || step.run.startsWith("npm ci")) continue;
        const filled = Object.entries({ ...env, ...step.env }).map(
          ([name, value]) => [name, fill(value, { ...given, ...matrix })] as const,
        );
        await run(["sh", "-e", "-c", step.run], cwd, { ...runner, ...Object.fromEntries(filled) });
      }
    });
    expect(isDone()).toBe(true);
    await synthesize(directory);
    await expectNothingToDo(directory);
  });

  if (LONG_TESTS) {
    test("kubernetes-job.yaml applies all tenants in indexed pods, which can start again", async () => {
      const directory = await project("job");
      await synthesize(directory);
      const source = readFileSync(join(EXAMPLES, "kubernetes-job.yaml"), "utf8");
      const { completions, template } = job.parse(parse(source)).spec;
      const [{ command, env }] = template.spec.containers;
      expect(completions).toBe(SHARDS.length);
      const set = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      expect(set.PGSSLROOTCERT).toBe("/etc/database/ca.pem");
      const pod = (cwd: string, shard: number) =>
        run(command, cwd, {
          ...given,
          ...set,
          // Mounted from the ConfigMap there.
          PGSSLROOTCERT: given.PGSSLROOTCERT,
          JOB_COMPLETION_INDEX: String(shard - 1),
        });
      await shards(directory, "pod", pod);
      expect(isDone()).toBe(true);
      const again = await pod(directory, 1);
      expect(again).toContain("0 added, 0 changed, 0 destroyed");
      await expectNothingToDo(directory);
    });
  }

  test("shards.sh reports shards that fail, applies all tenants in four processes, and resumes", async () => {
    const directory = await project("shards");
    await synthesize(directory);
    const { CONSOLE_LICENSE_KEY, ...without } = given;
    expect(CONSOLE_LICENSE_KEY).toBeDefined();
    await expect(run(["sh", "shards.sh", "4"], directory, without)).rejects.toThrow(
      /ended with 1:[^]*CONSOLE_LICENSE_KEY/,
    );
    const first = await run(["sh", "shards.sh", "4"], directory, given);
    expect(first).toContain("Apply complete!");
    expect(isDone()).toBe(true);
    const second = await run(["sh", "shards.sh", "4"], directory, given);
    expect(second).not.toContain("added");
    await expectNothingToDo(directory);
  });
});

/** Replaces the expressions of a workflow. Secrets and variables of the repository are known by name. */
function fill(value: string, known: Environment): string {
  return value.replace(/\$\{\{ [^}]+ \}\}/g, (expression) => {
    const name = expression.slice(4, -3).replace(/^(secrets|vars)\./, "");
    const found = known[name];
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  });
}

/** Runs a program to its end, which must be a success. Returns its output. */
async function run(words: readonly string[], cwd: string, env: Environment): Promise<string> {
  const [program = "", ...args] = words;
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}:\n${output}`);
  return output;
}
