import { readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { statusSchema } from "../../src/review/status/status-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { packedPackage, packedPath } from "../support/packed-package";
import { startCli, type Running } from "./support/bundle";

// The month of an operator, in the order of the guides: the tests follow one another over one estate
// of 60 consoles, by the commands of the packed package.

jest.setTimeout(600_000);

const TENANTS = 60;
const ADMIN = { username: "admin", password: "long-secret" };

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator({ tenants: TENANTS, signedUp: ADMIN, licensed: true });
  folder = temporaryFolder();
  symlinkSync(packedPackage().modules, join(folder, "node_modules"));
  const project = { language: "typescript", app: "tsx estate/main.ts" };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify(project));
});
afterAll(() => simulator.close());

function start(line: string, more: Readonly<Record<string, string>> = {}): Running {
  const environment = {
    PATH: packedPath(),
    CONSOLE_USERNAME: ADMIN.username,
    CONSOLE_PASSWORD: ADMIN.password,
    CONSOLE_CA_FILE: simulator.caFile,
    ...more,
  };
  return startCli(line.split(" "), { cwd: folder, environment });
}

async function run(line: string, code = 0, more: Readonly<Record<string, string>> = {}) {
  const ended = await start(line, more).ended;
  const { out, err } = ended;
  expect({
    line,
    code: ended.code,
    err: code === 0 ? err : "",
    out: ended.code === code || out,
  }).toEqual({ line, code, err: "", out: true });
  return { out, err };
}

/** Runs a command on the stacks that were synthesized last. */
const at = (line: string, code = 0, more: Readonly<Record<string, string>> = {}) =>
  run(`${line} --out-dir cdktf.out`, code, more);

const file = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(file(name), "utf8");
const nameOf = (tenant: number) => `tenant-${String(tenant).padStart(4, "0")}`;

/** Changes a file once, and synthesizes. */
async function change(name: string, was: string | RegExp, is: string): Promise<void> {
  const before = read(name);
  const after = before.replace(was, is);
  expect(after).not.toBe(before);
  writeFileSync(file(name), after);
  await run("synth");
}

/** Sets a check of the base line, which all tenants have. */
const setCheck = (check: number) =>
  change("estate/main.ts", /(checks: \{ 41: true,)/, `$1 ${check}: true,`);

function consoleOf(tenant: number) {
  const found = simulator.consoles[tenant - 1];
  if (!found) throw new Error(`there is no console ${tenant}`);
  return found.console;
}

/** Those whose base line has a check. */
const having = (check: number): readonly number[] =>
  simulator.consoles.flatMap(({ console }, index) =>
    JSON.stringify(console.policies()).includes(`"id":${check},`) ? [index + 1] : [],
  );
const all = Array.from({ length: TENANTS }, (_, index) => index + 1);
/** The tenant with a whole list of policies, which a change of the base line does not concern. */
const WHOLE = 7;
const changing = all.filter((one) => one !== WHOLE);
const without = (tenant: number) => changing.filter((one) => one !== tenant);

const policy = (name: string, checks: Readonly<Record<string, boolean>>, more: object = {}) => ({
  name,
  condition: {
    vulnerabilities: Object.entries(checks).map(([id, block]) => ({ id: Number(id), block })),
  },
  ...more,
});
const BASE = [
  policy("No root", { 599: true }, { resources: { namespaces: ["prod-*"] } }),
  policy("Host baseline", { 41: true, 51: true }, { resources: { namespaces: ["db-*"] } }),
  policy("Everything else", { 41: false }),
];

async function statusOf(code: number) {
  const { out } = await at("status --json", code);
  return statusSchema.parse(JSON.parse(out));
}

const historyOf = async (folderOfRuns: string) => (await run(`history ${folderOfRuns}`)).out;

describe("day one", () => {
  test("adopts the estate as one program", async () => {
    const legacy = policy("Legacy jobs", { 599: false }, { resources: { images: ["legacy/*"] } });
    for (const tenant of all) {
      const policies =
        tenant % 10 === 0
          ? [legacy, ...BASE]
          : tenant === WHOLE
            ? [...BASE.slice(0, 1), legacy, ...BASE.slice(1)]
            : BASE;
      await consoleOf(tenant).edit({ policies });
    }
    const rows = simulator.consoles.map(({ name, url }, index) => {
      const ring = index < 2 ? "canary" : "wide";
      return `${name},${url},${ring},${index % 2 === 0 ? "eu" : "us"}`;
    });
    const header = "name,url,labels.ring,labels.region";
    writeFileSync(file("tenants.csv"), [header, ...rows, ""].join("\n"));
    const { out } = await run("adopt --tenants tenants.csv --output estate");
    expect(out).toContain("60 tenants\n  6 with overrides by their label variant\n");
    expect(out).toMatch(new RegExp(`^order of policies +${nameOf(WHOLE)} +keeps it`, "m"));
  });

  test("the first apply imports all and changes nothing", async () => {
    await run("synth");
    const planned = await at("plan --detailed-exitcode", 2);
    const total = "Total of 60 stacks: 60 to import, 0 to add, 0 to change, 0 to destroy.";
    expect(planned.out).toContain(total);
    expect(planned.out).toContain(`53 of 60 stacks: ${nameOf(1)}, ${nameOf(2)}`);
    const before = consoleOf(1).requests.length;
    await at("apply --auto-approve --run-log runs");
    const sent = consoleOf(1).requests.slice(before);
    expect(sent.filter(({ method }) => method === "PUT")).toEqual([]);
    await at("plan --detailed-exitcode");
  });
});

describe("every morning", () => {
  test("is quiet when nothing is wrong", async () => {
    expect((await at("status")).out).toContain("Quiet: 60 stacks.");
  });

  test("shows the worst first, with the exit code of the worst", async () => {
    await consoleOf(3).edit({ policies: BASE.toReversed() });
    await consoleOf(4).edit({ policies: [...BASE, policy("Never reached", { 41: true })] });
    expect((await statusOf(3)).counts).toMatchObject({ weaker: 1 });
    await consoleOf(3).edit({ policies: BASE });
    expect(await statusOf(2)).toMatchObject({ total: 60, quiet: 59 });
    consoleOf(5).faults.add({ target: "*", outcome: { kind: "status", status: 500 } });
    const unread = await at("status --markdown status.md --html wall.html", 1);
    expect(unread.out).toContain("2 of 60 stacks need a person.");
    expect(read("status.md")).toContain(nameOf(5));
    expect(read("wall.html")).toContain(nameOf(5));
    consoleOf(5).faults.clear();
    await at(`apply --auto-approve ${nameOf(4)} --run-log runs`);
    await statusOf(0);
  });
});

describe("a rollout", () => {
  test("goes by label without an excluded tenant, and waits after the canaries", async () => {
    await setCheck(52);
    await at(
      `apply --auto-approve --exclude ${nameOf(9)} --waves ring=canary,region=eu/50%:5,100% --max-failures 0 --until-wave 1 --run-log runs/night.jsonl`,
    );
    expect(having(52)).toEqual([1, 2]);
    expect(await historyOf("runs")).toContain("waits for wave 2 of 3");
    await at("apply --auto-approve --resume runs/night.jsonl");
    expect(having(52)).toEqual([1, 2]);
  });

  test("is approved by another process, wave by wave", async () => {
    const by = { GITHUB_ACTOR: "grace" };
    await at("apply --auto-approve --resume runs/night.jsonl --approve-wave 2", 0, by);
    expect(having(52)).toHaveLength(2 + 13);
    expect(await historyOf("runs")).toContain("waits for wave 3 of 3");
    await at("apply --auto-approve --resume runs/night.jsonl --approve-wave 3", 0, by);
    expect(having(52)).toEqual(without(9));
    expect(read("runs/night.jsonl")).toContain("grace");
    expect(await historyOf("runs")).not.toContain("waits for");
  });

  test("runs in shards with one ID, which history joins", async () => {
    await setCheck(53);
    const shards = [1, 2, 3].map((shard) =>
      at(`apply --auto-approve --shard ${shard}/3 --run-id night-2 --run-log shards`),
    );
    await Promise.all(shards);
    expect(having(53)).toEqual(changing);
    const joined = JSON.parse((await run("history shards --json")).out) as {
      readonly runs: readonly Readonly<Record<string, unknown>>[];
    };
    expect(joined.runs).toHaveLength(1);
    await at("plan --detailed-exitcode");
  });
});

describe("a night with faults", () => {
  test("a mistake in a row excludes its tenant only", async () => {
    const row = `  - name: ${nameOf(11)}\n    url: https://`;
    await change("estate/tenants.yaml", row, row.replace("https:", "htps"));
    await setCheck(54);
    const { out, err } = await at(
      "apply --auto-approve --waves 1,100% --run-log runs/row.jsonl",
      1,
    );
    expect(err).toMatch(/estate\/tenants\.yaml:\d+: baseUrl: .*\n?misspelled scheme/s);
    expect(out).toContain(
      `Excluded: 1 of 60 stacks\n  - Invalid row of a tenant (1): ${nameOf(11)}`,
    );
    expect(having(54)).toEqual(without(11));
    await change("estate/tenants.yaml", row.replace("https:", "htps"), row);
    await at("apply --auto-approve --resume runs/row.jsonl");
    expect(having(54)).toEqual(changing);
  });

  test("a console that is down is left out, and resumed when it is back", async () => {
    await setCheck(55);
    consoleOf(13).faults.add({ target: "*", outcome: { kind: "reset-before" } });
    const down = await at("apply --auto-approve --run-log runs/down.jsonl", 1);
    expect(down.out).toContain(nameOf(13));
    expect(having(55)).toEqual(without(13));
    consoleOf(13).faults.clear();
    await at("apply --auto-approve --resume runs/down.jsonl --run-log runs/down.jsonl");
    expect(having(55)).toEqual(changing);
  });

  test("a killed run is unlocked by its record, and resumed", async () => {
    await setCheck(56);
    const running = start("apply --auto-approve --run-log runs/killed.jsonl --out-dir cdktf.out");
    let writes = 0;
    for (const { console } of simulator.consoles) {
      const handle = console.handle.bind(console);
      console.handle = async (request) => {
        if (request.method === "PUT" && ++writes === 20) running.child.kill("SIGKILL");
        return handle(request);
      };
    }
    expect((await running.ended).signal).toBe("SIGKILL");
    const done = having(56).length;
    expect(done).toBeLessThan(TENANTS);

    // The locks are made those of another machine: this one takes over those of its dead processes.
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".lock"))) {
      const holder = JSON.parse(read(name)) as object;
      const process = { host: "elsewhere", pid: 999_999, machine: "other" };
      writeFileSync(
        file(name),
        JSON.stringify({ ...holder, Who: "ann@elsewhere", Process: process }),
      );
    }
    const locked = await at("apply --auto-approve --resume runs/killed.jsonl", 1);
    expect(locked.err.replaceAll(/\s+/g, " ")).toContain("force-unlock --run");
    const refused = await at("force-unlock --run runs/killed.jsonl --force", 1);
    expect(refused.err).toContain("may be running");
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(file("runs/killed.jsonl"), old, old);
    const released = await at("force-unlock --run runs/killed.jsonl --force");
    expect(released.out).toMatch(/^Released the locks of \d+ stacks\./m);
    await at("apply --auto-approve --resume runs/killed.jsonl --run-log runs/killed.jsonl");
    expect(having(56)).toEqual(changing);
  });

  test("the run is taken back", async () => {
    const planned = await at("plan --rollback runs/killed.jsonl");
    expect(planned.out).toContain("59 to change");
    await at("apply --auto-approve --rollback runs/killed.jsonl --run-log runs/back.jsonl");
    expect(having(56)).toEqual([]);
    expect(having(55)).toEqual(changing);
    await change("estate/main.ts", " 56: true,", "");
    await at("plan --detailed-exitcode");
  });
});

describe("a tenant", () => {
  test("gets another name", async () => {
    await change("estate/tenants.yaml", `name: ${nameOf(20)}\n`, "name: acme\n");
    await at(`state rename-stack ${nameOf(20)} acme`);
    await at("plan acme --detailed-exitcode");
  });

  test("gets another address", async () => {
    const { url = "" } = simulator.consoles[20] ?? {};
    const moved = url.replace("127.0.0.1", "localhost");
    await change("estate/tenants.yaml", `url: ${url}\n`, `url: ${moved}\n`);
    const refused = await at(`plan ${nameOf(21)}`, 1);
    expect(refused.err).toContain("Object is on another console");
    await change(
      "estate/tenants.yaml",
      `url: ${moved}\n`,
      `url: ${moved}\n    previousUrls: ${url}\n`,
    );
    await at(`plan ${nameOf(21)} --detailed-exitcode`);
  });

  test("leaves the estate quiet at the end of the month", async () => {
    expect(await statusOf(0)).toMatchObject({ total: TENANTS, quiet: TENANTS });
  });
});
