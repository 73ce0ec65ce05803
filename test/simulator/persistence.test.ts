import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ManualClock,
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator";
import { SimulatorFile } from "../../src/simulator/persistence";
import { freshData } from "../../src/simulator/console-state";
import { ADMIN, ask, basic } from "./ask";
import { httpsClient } from "./https";

const POLICIES = "/api/v1/policies/compliance/container";
const REGISTRY = "/api/v1/settings/registry";
const KEY = "LICENSE-KEY-OF-THE-TEST";

let dataDir: string;
let running: Simulator | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "simulator-data-"));
});

afterEach(async () => {
  await running?.close();
  rmSync(dataDir, { recursive: true });
});

async function start(options: SimulatorOptions = {}) {
  await running?.close();
  running = await startSimulator({ dataDir, ...options });
  return { simulator: running, console: running.consoles[0].console };
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test("keeps user, token, license and collections over a restart", async () => {
  const first = await start({ release: "20.04" });
  await ask(first.console, "POST /api/v1/signup", { body: ADMIN });
  const { json } = await ask(first.console, "POST /api/v1/authenticate", { body: ADMIN });
  const as = `Bearer ${(json as { token: string }).token}`;
  await ask(first.console, "POST /api/v1/settings/license", { as, body: { key: KEY } });
  const policies = `[{"zeta":1.0,"name":"n","big":12345678901234567890}]`;
  await ask(first.console, `PUT ${POLICIES}`, { as, body: policies });
  const secret = { plain: "s3cr3t-of-the-registry" };
  const body = [{ registry: "r", credential: { type: "basic", secret } }];
  await ask(first.console, `PUT ${REGISTRY}`, { as, body });
  const scopes = "/api/v1/settings/serverless-scan";
  await ask(first.console, `POST ${scopes}`, { as, body: [{ provider: "aws" }] });
  const specs = "/api/v1/settings/serverless-auto-protect";
  await ask(first.console, `POST ${specs}`, { as, body: [{ name: "spec" }] });

  const firewall = "/api/v1/policies/firewall/network/host";
  await ask(first.console, `PUT ${firewall}`, { as, body: [{ name: "rule" }] });
  const clock = new ManualClock(new Date());
  const before = clock.now().getTime();
  await ask(first.console, "GET /api/v1/containers/scan", { as });
  clock.advance({ minutes: 1 });

  const second = await start({ release: "20.04", clock });
  const { json: scanned } = await ask(second.console, "GET /api/v1/containers?limit=1", { as });
  const [{ scan_time: scanTime = "" } = {}] = scanned as { scan_time?: string }[];
  expect(new Date(scanTime).getTime()).toBeGreaterThan(before);
  for (const path of [POLICIES, REGISTRY, scopes, specs, firewall]) {
    const before = await ask(first.console, `GET ${path}`, { as });
    const after = await ask(second.console, `GET ${path}`, { as });
    expect(after).toMatchObject({ status: 200, text: before.text });
  }
  expect((await ask(second.console, `GET ${POLICIES}`, { as })).text).toContain(
    `"zeta":1.0,"name":"n","big":12345678901234567890`,
  );
  const wrong = { ...ADMIN, password: "wrong" };
  expect((await ask(second.console, `GET ${POLICIES}`, { as: wrong })).status).toBe(401);
  expect((await ask(second.console, `GET ${POLICIES}`, { as: ADMIN })).status).toBe(200);
  expect((await ask(second.console, `GET ${POLICIES}`, { as: wrong })).status).toBe(401);
  expect((await ask(second.console, "POST /api/v1/signup", { body: ADMIN })).status).toBe(400);
});

test("writes no secret to any file, and files only for the owner", async () => {
  const { console } = await start({ release: "20.04", signedUp: ADMIN });
  await ask(console, "POST /api/v1/settings/license", { as: ADMIN, body: { key: KEY } });
  const credential = { type: "basic", secret: { plain: "s3cr3t-of-the-registry" } };
  await ask(console, `PUT ${REGISTRY}`, { as: ADMIN, body: [{ registry: "r", credential }] });
  const secrets = [ADMIN.password, KEY, credential.secret.plain];
  const files = filesIn(dataDir);
  expect(files.map((file) => file.slice(dataDir.length + 1)).sort()).toEqual([
    "ca-key.pem",
    "ca.pem",
    join("consoles", "console.json"),
  ]);
  for (const file of files) {
    const content = readFileSync(file, "utf8");
    for (const secret of secrets) {
      expect(content).not.toContain(secret);
      expect(content).not.toContain(Buffer.from(secret).toString("base64"));
    }
    if (!file.endsWith("ca.pem")) expect(statSync(file).mode & 0o077).toBe(0);
  }
});

test("keeps the authority over a restart", async () => {
  const first = await start();
  const { ca, caFile } = first.simulator;
  const second = await start();
  expect(second.simulator).toMatchObject({ ca, caFile });
  const client = httpsClient(ca);
  const { status } = await client.call(`${second.simulator.consoles[0].url}/api/v1/_ping`);
  await client.close();
  expect(status).toBe(200);
});

test("stores a change before it answers", async () => {
  const { simulator } = await start({ signedUp: ADMIN, licensed: true });
  const client = httpsClient(simulator.ca);
  const url = simulator.consoles[0].url + POLICIES;
  await client.call(url, { method: "PUT", body: [{ name: "kept" }], authorization: basic(ADMIN) });
  const stored = readFileSync(join(dataDir, "consoles", "console.json"), "utf8");
  await client.close();
  expect(stored).toContain(`"name":"kept"`);
});

test("applies options for fresh consoles to fresh consoles only", async () => {
  await start({ signedUp: ADMIN, licensed: true });
  const { console } = await start({ signedUp: { username: "other", password: "p" } });
  expect([...console.data.users.keys()]).toEqual([ADMIN.username]);
  expect(console.data.license).not.toBeNull();
});

test("stores each tenant in a separate file", async () => {
  const { simulator } = await start({ tenants: 2, licensed: true });
  await simulator.consoles[1]!.console.edit({ policies: [] });
  const again = (await start({ tenants: 2 })).simulator;
  expect(again.consoles.map(({ console }) => console.policies().length)).toEqual([2, 0]);
});

test.each([
  ["no JSON", "{", "it is not JSON"],
  ["another format", '{"format":1}', "format"],
  ["a text for the users", '{"format":3,"users":"x"}', "users"],
])("refuses to start with a state file with %s", async (_, text, reason) => {
  const { console } = await start();
  await console.installLicense();
  const file = join(dataDir, "consoles", "console.json");
  writeFileSync(file, text);
  await expect(start()).rejects.toMatchObject({
    name: "SimulatorError",
    code: "bad-data",
    message: expect.stringContaining(file) as string,
  });
  await expect(start()).rejects.toThrow(reason);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("refuses to start with a broken authority", async () => {
  await start();
  writeFileSync(join(dataDir, "ca-key.pem"), "x");
  await expect(start()).rejects.toMatchObject({ code: "bad-data" });
});

test("answers 500 when a change cannot be stored", async () => {
  const { console } = await start({ signedUp: ADMIN, licensed: true });
  rmSync(join(dataDir, "consoles"), { recursive: true });
  writeFileSync(join(dataDir, "consoles"), "in the way");
  const answer = await ask(console, `PUT ${POLICIES}`, { as: ADMIN, body: [] });
  expect(answer).toMatchObject({
    status: 500,
    json: { err: expect.stringContaining("could not be stored") as string },
  });
});

test("stores the last of several concurrent changes", async () => {
  const file = new SimulatorFile(join(dataDir, "state.json"));
  const data = freshData(new Date());
  const saves = Array.from({ length: 20 }, (_, index) =>
    file.save({ ...data, license: { fingerprint: String(index) } }),
  );
  await Promise.all(saves);
  expect(await file.load()).toMatchObject({ license: { fingerprint: "19" } });
  expect(readdirSync(dataDir)).toEqual(["state.json"]);
});

test("stores changes that arrive during a write", async () => {
  const file = new SimulatorFile(join(dataDir, "state.json"));
  const data = freshData(new Date());
  const saves: Promise<void>[] = [];
  for (let index = 0; index < 50; index++) {
    saves.push(file.save({ ...data, license: { fingerprint: String(index) } }));
    await new Promise(setImmediate);
  }
  await Promise.all(saves);
  expect(await file.load()).toMatchObject({ license: { fingerprint: "49" } });
  expect(readdirSync(dataDir)).toEqual(["state.json"]);
});

test("follows no link that somebody planted in the folder", async () => {
  const victim = join(dataDir, "victim");
  writeFileSync(victim, "untouched");
  for (const name of ["ca.pem", "ca-key.pem"]) {
    symlinkSync(victim, join(dataDir, `${name}.tmp`));
  }
  const { simulator } = await start();
  expect(readFileSync(victim, "utf8")).toBe("untouched");
  expect(statSync(join(dataDir, "ca-key.pem")).mode & 0o777).toBe(0o600);
  expect(readFileSync(simulator.caFile, "utf8")).toContain("BEGIN CERTIFICATE");
  expect(filesIn(dataDir).filter((file) => file.endsWith(".tmp"))).toEqual([]);
});
