import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { RELEASES, type Release } from "../../../../src/api/release";
import { UNKNOWN, type ObjectValue } from "../../../../src/core/values";
import { transportTo } from "../../../../src/simulator";
import { connectTo, ready, type Simulated } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";
import { temporaryFolder } from "../../../cli/stack-files";

const TYPE = "cwp_defender_artifact";
const after2004 = RELEASES.filter((release) => release !== "20.04");

const artifact = (more: ObjectValue = {}): ObjectValue => ({
  kind: "linux_script",
  filename: join(temporaryFolder(), "artifact"),
  ...more,
});
const nameOf = ({ filename }: ObjectValue) => (typeof filename === "string" ? filename : "");
const bytesOf = (config: ObjectValue) => readFileSync(nameOf(config));
const modeOf = (config: ObjectValue) => statSync(nameOf(config)).mode & 0o777;
/** The requests except those for tokens. */
const asked = ({ sent }: Simulated) =>
  sent
    .filter(({ path }) => !path.endsWith("/authenticate"))
    .map(({ method, path }) => `${method} ${path}`);

describe.each<[string, string, string]>([
  ["linux_script", "/api/v1/scripts/defender.sh", "#!/bin/sh"],
  ["windows_script", "/api/v1/scripts/defender.ps1", "$ErrorActionPreference"],
  ["helm_chart", "/api/v1/defenders/helm/svc-defender-helm.tar.gz", 'name: "svc-defender-helm"'],
  ["daemonset", "/api/v1/defenders/daemonset.yaml", "kind: DaemonSet"],
])("%s", (kind, path, content) => {
  test.each(RELEASES)("release %s: downloads once, then has nothing to change", async (release) => {
    const simulated = await ready({ release });
    const config = artifact({ kind });
    const engine = await new Engine(simulated.connection, TYPE).applied(config);
    const bytes = bytesOf(config);
    expect(engine.state).toEqual({
      ...config,
      id: config.filename,
      console: simulated.connection.client.identity.name,
      product: "svc",
      request_json: null,
      request_secrets: null,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      size: bytes.length,
    });
    expect((kind === "helm_chart" ? gunzipSync(bytes) : bytes).toString()).toContain(content);
    expect(modeOf(config)).toBe(0o600);
    expect(readdirSync(join(nameOf(config), ".."))).toEqual(["artifact"]);
    expect(await engine.isConverged(config)).toBe(true);
    expect(asked(simulated)).toEqual([`${release === "20.04" ? "GET" : "POST"} ${path}`]);
  });
});

test("has no content in plan or state", async () => {
  const { connection } = await ready();
  const config = artifact({ request_json: '{"consoleAddr":"a"}' });
  const engine = await new Engine(connection, TYPE).applied(config);
  const line = bytesOf(config).toString().split("\n")[1];
  expect(line).toContain("Installs a defender");
  expect(JSON.stringify([engine.seen, engine.stored])).not.toContain(line);
});

test("uses the product in the name of the chart", async () => {
  const simulated = await ready();
  const config = artifact({ kind: "helm_chart", product: "acme" });
  await new Engine(simulated.connection, TYPE).applied(config);
  expect(asked(simulated)).toEqual(["POST /api/v1/defenders/helm/acme-defender-helm.tar.gz"]);
});

test("resolves a relative filename against the folder of the process", async () => {
  const { connection } = await ready();
  const config = artifact();
  const short = { ...config, filename: relative(process.cwd(), nameOf(config)) };
  const engine = await new Engine(connection, TYPE).applied(short);
  expect(engine.state?.id).toBe(short.filename);
  expect(bytesOf(config).length).toBe(engine.state?.size);
});

describe("request_json", () => {
  test.each(after2004)(
    "is the body in release %s, with the spelling of numbers",
    async (release) => {
      const simulated = await ready({ release });
      const text = '{"namespace":"apps","nested":{"list":[1.0,12345678901234567890]}}';
      const config = artifact({ kind: "daemonset", request_json: text });
      await new Engine(simulated.connection, TYPE).applied(config);
      expect(simulated.sent.at(-1)?.body).toBe(text);
      expect(bytesOf(config).toString()).toContain('namespace: "apps"');
    },
  );

  test("is the query in 20.04, with a warning about members that it cannot have", async () => {
    const simulated = await ready({ release: "20.04" });
    const text =
      '{"namespace":"apps","privileged":true,"proxy":{"host":"p"},"tags":[],"none":null}';
    const config = artifact({ kind: "daemonset", request_json: text });
    const engine = new Engine(simulated.connection, TYPE);
    const { diagnostics } = await engine.plan(config);
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "Members that cannot be sent", path: ["request_json"] },
    ]);
    expect(diagnostics[0]?.detail).toContain("not sent: proxy, tags, none.");
    await engine.applied(config);
    expect(asked(simulated)).toEqual([
      "GET /api/v1/defenders/daemonset.yaml?namespace=apps&privileged=true",
    ]);
    expect(bytesOf(config).toString()).toContain("privileged: true");
    expect(
      (await engine.plan({ ...config, request_json: '{"namespace":"apps"}' })).diagnostics,
    ).toEqual([]);
  });

  test("is compared as JSON", async () => {
    const { connection } = await ready();
    const config = artifact({ request_json: '{"a":1,"b":{"c":[]}}' });
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(
      await engine.isConverged({ ...config, request_json: ' {"b": {"c": []}, "a": 1} ' }),
    ).toBe(true);
  });

  test.each(["", "[]", "null", "{", '"a"'])("refuses %j", async (text) => {
    const { connection } = await ready();
    const found = new Engine(connection, TYPE).validate(artifact({ request_json: text }));
    expect(found).toMatchObject([{ severity: "error", path: ["request_json"] }]);
  });
});

test("updates in place for another request, and replaces for another kind or filename", async () => {
  const { connection } = await ready();
  const config = artifact({ request_json: '{"consoleAddr":"one"}' });
  const engine = await new Engine(connection, TYPE).applied(config);
  const other = { ...config, request_json: '{"consoleAddr":"two"}' };
  const plan = await engine.plan(other);
  expect(plan.requiresReplace).toEqual([]);
  expect(plan.planned).toMatchObject({ id: config.filename, sha256: UNKNOWN, size: UNKNOWN });
  await engine.applied(other);
  expect(bytesOf(config).toString()).toContain("CONSOLE_ADDR='two'");
  expect(await engine.isConverged(other)).toBe(true);

  const elsewhere = artifact({ kind: "daemonset" });
  expect((await engine.plan(elsewhere)).requiresReplace).toEqual([["kind"], ["filename"]]);
  await engine.applied(elsewhere);
  expect(readdirSync(join(nameOf(config), ".."))).toEqual([]);
  await engine.applied({ ...elsewhere, kind: "linux_script" });
  expect(bytesOf(elsewhere).toString()).toContain("#!/bin/sh");
});

test("checks an unknown filename at apply time", async () => {
  const { connection } = await ready();
  const { planned, diagnostics } = await new Engine(connection, TYPE).plan({
    kind: "daemonset",
    filename: UNKNOWN,
  });
  expect(diagnostics).toEqual([]);
  expect(planned).toMatchObject({ id: UNKNOWN, filename: UNKNOWN, sha256: UNKNOWN });
});

test.each<[string, Release]>([
  ["truncate", "20.12"],
  ["status=500", "20.04"],
  ["reset-before", "20.12"],
])("leaves no file and no state if the download fails (%s)", async (fault, release) => {
  const { console, connection, fault: inject } = await ready({ release }, { maxRetries: 1 });
  inject(`downloadDaemonSet:${fault}`);
  const config = artifact({ kind: "daemonset" });
  const engine = new Engine(connection, TYPE);
  expect(errorsOf(await engine.apply(config))).toHaveLength(1);
  expect(readdirSync(join(nameOf(config), ".."))).toEqual([]);
  expect(engine.stored).toBeUndefined();
  console.faults.clear();
  await engine.applied(config);
  expect(await engine.isConverged(config)).toBe(true);
});

test("keeps file and state if an update fails", async () => {
  const { connection, fault } = await ready();
  const config = artifact({ request_json: '{"consoleAddr":"one"}' });
  const engine = await new Engine(connection, TYPE).applied(config);
  const [stored, before] = [engine.stored, bytesOf(config)];
  fault("downloadLinuxScript:truncate:9");
  expect(errorsOf(await engine.apply({ ...config, request_json: "{}" }))).toHaveLength(1);
  expect(bytesOf(config)).toEqual(before);
  expect(engine.stored).toEqual(stored);
});

test("stops the download at an interrupt", async () => {
  const { connection, console } = await ready();
  const abort = new AbortController();
  const handle = console.handle.bind(console);
  console.handle = (request) => {
    if (request.path.endsWith("defender.sh")) abort.abort();
    return handle(request);
  };
  const config = artifact();
  const engine = new Engine(connection, TYPE, { signal: abort.signal });
  expect(summaries(await engine.apply(config))).toEqual(["Interrupted"]);
  expect(readdirSync(join(nameOf(config), ".."))).toEqual([]);
});

describe("request_secrets", () => {
  const SECRETS = { proxy: { password: "canary-proxy-secret" } };
  const config = (more: ObjectValue = {}) =>
    artifact({
      kind: "daemonset",
      request_json: '{"namespace":"n","proxy":{"user":"svc"}}',
      request_secrets: JSON.stringify(SECRETS),
      ...more,
    });

  test("are merged into the request, and stored nowhere", async () => {
    const simulated = await ready();
    const given = config();
    const engine = await new Engine(simulated.connection, TYPE).applied(given);
    expect(JSON.parse(simulated.sent.at(-1)?.body ?? "")).toEqual({
      namespace: "n",
      proxy: { user: "svc", password: "canary-proxy-secret" },
    });
    expect(await engine.isConverged(given)).toBe(true);
    expect(JSON.stringify([engine.stored, engine.seen])).not.toContain("canary");
  });

  test("are not shown when the console repeats them", async () => {
    const { console } = await ready();
    const inner = transportTo(console);
    const repeats = (text: unknown) => Readable.from([Buffer.from(JSON.stringify({ err: text }))]);
    const connection = connectTo((request) =>
      request.path.endsWith("daemonset.yaml")
        ? Promise.resolve({ status: 400, headers: {}, body: repeats(`bad ${request.body ?? ""}`) })
        : inner(request),
    );
    const engine = new Engine(connection, TYPE);
    const problems = JSON.stringify(errorsOf(await engine.apply(config())));
    expect(problems).toContain("[redacted]");
    expect(problems + JSON.stringify(engine.seen)).not.toContain("canary");
  });

  test("are refused in release 20.04, which would have them in the query", async () => {
    const { connection } = await ready({ release: "20.04" });
    const found = new Engine(connection, TYPE).validate(config({ request_json: null }));
    expect(JSON.stringify(errorsOf(found))).toContain("logs of servers");
  });

  test("are required for members that are named like secrets", async () => {
    const { connection } = await ready();
    const request_json = JSON.stringify(SECRETS);
    const [problem] = errorsOf(new Engine(connection, TYPE).validate(config({ request_json })));
    expect(problem?.summary).toBe("Secret in an attribute that is stored");
    expect(problem?.detail).toContain("proxy.password");
  });
});
