import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_RELEASE } from "../../../src/api/release";
import { configurationAttributes } from "../../../src/provider/configuration/configuration-attributes";
import type { Environment } from "../../../src/core/environment";
import { hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import type { LogRecord } from "../../../src/core/io/log";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { CertificateAuthority, startSimulator, type Simulator } from "../../../src/simulator";
import { complete, provider } from "../support/engine";

const ADMIN = { username: "admin", password: "canary-password" };
const TOKEN = "canary-token";

async function configure(
  block: ObjectValue,
  environment: Environment = {},
  records: LogRecord[] = [],
) {
  const config = complete(configurationAttributes, block);
  const configured = await provider.configure(config, environment, (one) => void records.push(one));
  const reported = JSON.stringify(configured.diagnostics);
  expect(reported).not.toContain("canary");
  return configured;
}

const paths = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ path }) => path?.join(".") ?? "");
const summaries = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ summary }) => summary);

describe("errors of a configuration", () => {
  test("reports missing credentials and address together", async () => {
    const { connection, diagnostics } = await configure({});
    expect(connection).toBeUndefined();
    expect(summaries(diagnostics)).toEqual(["Missing credentials", "Missing console address"]);
    expect(paths(diagnostics)).toEqual(["", "base_url"]);
    for (const variable of ["CONSOLE_USERNAME", "CONSOLE_TOKEN", "CONSOLE_CLIENT_CERT_FILE"]) {
      expect(diagnostics[0]?.detail).toContain(variable);
    }
    expect(diagnostics[1]?.detail).toContain("CONSOLE_URL");
  });

  test("reports all errors together", async () => {
    const { diagnostics } = await configure(
      {
        client_certificate_file: "/nowhere/cert.pem",
        client_key_file: "/nowhere/key.pem",
        insecure_skip_verify: true,
      },
      { CONSOLE_RELEASE: "19.11", CONSOLE_CA_FILE: "/nowhere/ca.pem" },
    );
    expect(paths(diagnostics)).toEqual([
      "client_certificate_file",
      "client_key_file",
      "ca_certificate_file",
      "release",
      "base_url",
      "insecure_skip_verify",
    ]);
    expect(diagnostics[0]?.detail).toBe(
      "/nowhere/cert.pem: no such file or directory. There is no folder /nowhere. Correct the path.",
    );
    expect(diagnostics[3]?.detail).toContain("19.11");
  });

  test("refuses a FIFO as a file, and does not wait for its writer", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "configure-")), "fifo");
    execFileSync("mkfifo", [file]);
    const { diagnostics } = await configure(
      { base_url: "c", client_certificate_file: file },
      { CONSOLE_CA_FILE: file, CONSOLE_CLIENT_KEY_FILE: file },
    );
    expect(paths(diagnostics)).toEqual([
      "client_certificate_file",
      "client_key_file",
      "ca_certificate_file",
    ]);
    expect(diagnostics[2]?.detail).toBe(
      `${file}: is not a regular file.\n\nThe environment variable CONSOLE_CA_FILE sets ca_certificate_file here.`,
    );
  });

  test("reports an unknown release next to missing credentials", async () => {
    const { diagnostics } = await configure({ base_url: "c" }, { CONSOLE_RELEASE: "1" });
    expect(summaries(diagnostics)).toEqual(["Unknown release", "Missing credentials"]);
  });

  test.each<[ObjectValue, string]>([
    [{ auth: "token", username: "u" }, "a token, or username and password"],
    [{ auth: "basic", token: TOKEN }, "username and password"],
    [{ auth: "client_certificate", ...ADMIN }, "client_certificate and client_key"],
  ])("reports the missing credentials of %j", async (block, needed) => {
    const { diagnostics } = await configure({ base_url: "c", ...block });
    expect(summaries(diagnostics)).toEqual(["Missing credentials"]);
    expect(diagnostics[0]?.detail).toContain(`needs ${needed},`);
  });

  test.each<[ObjectValue, string]>([
    [{ client_certificate: "PEM" }, "client_key"],
    [{ client_key: "PEM" }, "client_certificate"],
    [{ client_certificate: "PEM", ...ADMIN }, "client_key"],
  ])("reports an incomplete client certificate", async (block, missing) => {
    const { diagnostics } = await configure({ base_url: "c", ...block });
    expect(summaries(diagnostics)).toEqual(["Incomplete client certificate"]);
    expect(paths(diagnostics)).toEqual([missing]);
  });
});

describe("errors of the client", () => {
  let authority: CertificateAuthority;
  let folder: string;
  beforeAll(async () => {
    authority = await CertificateAuthority.create("Users");
    folder = await mkdtemp(join(tmpdir(), "configure-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each<[ObjectValue, string]>([
    [{ base_url: "http://console", ...ADMIN }, "base_url"],
    [{ base_url: "https://admin:canary-url@console", ...ADMIN }, "base_url"],
    [{ base_url: "https://admin:canary-url@c", insecure_skip_verify: true, ...ADMIN }, "base_url"],
    [{ base_url: "c", auth: "basic", username: "a:b", password: "canary-p" }, "username"],
    [{ base_url: "c", token: "canary token" }, "token"],
    [{ base_url: "c", ca_certificate: "no PEM", ...ADMIN }, "ca_certificate"],
    [
      { base_url: "c", client_certificate: "no PEM", client_key: "canary-key" },
      "client_certificate",
    ],
  ])("names the attribute of %j", async (block, attribute) => {
    const { connection, diagnostics } = await configure(block);
    expect(connection).toBeUndefined();
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(paths(errors)).toEqual([attribute]);
    expect(Object.keys(configurationAttributes)).toContain(attribute);
  });

  test("names the attribute of an invalid file", async () => {
    const file = join(folder, "text.pem");
    await writeFile(file, "no PEM");
    const { certificate, key } = await authority.issueClientCertificate("u");
    const one = await configure({ base_url: "c", ...ADMIN }, { CONSOLE_CA_FILE: file });
    expect(paths(one.diagnostics)).toEqual(["ca_certificate_file"]);
    const other = await authority.issueClientCertificate("u");
    await writeFile(file, certificate);
    const block = { base_url: "c", client_certificate_file: file, client_key: other.key };
    expect(paths((await configure(block)).diagnostics)).toEqual(["client_certificate_file"]);
    expect((await configure({ ...block, client_key: key })).diagnostics).toEqual([]);
  });
});

test("returns neither connection nor error for an unknown configuration", async () => {
  expect(await configure({ base_url: UNKNOWN, token: TOKEN })).toEqual({
    connection: undefined,
    diagnostics: [],
  });
  expect(await configure({ base_url: "c", password: UNKNOWN })).toEqual({
    connection: undefined,
    diagnostics: [],
  });
});

test("warns of unverified TLS", async () => {
  const block = { base_url: "c", ...ADMIN, insecure_skip_verify: true };
  const { connection, diagnostics } = await configure(block);
  expect(hasErrors(diagnostics)).toBe(false);
  expect(summaries(diagnostics)).toEqual(["TLS is not verified"]);
  await connection?.client.close();
});

test("reads the release from the environment, with a default", async () => {
  const block = { base_url: "c", ...ADMIN };
  expect((await configure(block)).connection?.release).toBe(DEFAULT_RELEASE);
  const set = await configure(block, { CONSOLE_RELEASE: "20.04" });
  expect([set.connection?.release, set.connection?.client.release]).toEqual(["20.04", "20.04"]);
});

test("validates each attribute", () => {
  const found = provider.validateConfiguration(
    complete(configurationAttributes, {
      base_url: "",
      auth: "magic",
      release: "19.11",
      request_timeout: 0,
      max_retries: -1,
      max_concurrency: 0.5,
    }),
  );
  expect(paths(found)).toEqual([
    "base_url",
    "auth",
    "release",
    "request_timeout",
    "max_retries",
    "max_concurrency",
  ]);
});

describe("against a console on a port", () => {
  let simulator: Simulator;
  let users: CertificateAuthority;
  beforeAll(async () => {
    users = await CertificateAuthority.create("Users");
    const clientCa = users.certificate;
    simulator = await startSimulator({ signedUp: ADMIN, licensed: true, clientCa });
  });
  afterAll(() => simulator.close());

  async function calls(block: ObjectValue, environment: Environment = {}) {
    const [{ url, console }] = simulator.consoles;
    console.requests.length = 0;
    const records: LogRecord[] = [];
    const base = { base_url: url, ca_certificate_file: simulator.caFile };
    const { connection, diagnostics } = await configure(
      { ...base, ...block },
      environment,
      records,
    );
    expect(diagnostics).toEqual([]);
    if (!connection) throw new Error("no connection");
    // A configuration sends no request.
    expect(console.requests).toEqual([]);
    try {
      await connection.client.getPolicies().catch(() => undefined);
    } finally {
      await provider.close(connection);
    }
    const log = JSON.stringify(records);
    for (const secret of [ADMIN.password, TOKEN, "Basic", "Bearer", "eyJ"]) {
      expect(log).not.toContain(secret);
    }
    return { asked: console.requests.map(({ endpoint }) => endpoint), records };
  }

  test("fetches a token for username and password, and logs requests", async () => {
    const { asked, records } = await calls(ADMIN);
    expect(asked).toEqual(["authenticate", "getPolicies"]);
    expect(records[1]).toMatchObject({
      level: "debug",
      module: "provider.cwp",
      message: "GET /api/v1/policies",
      fields: { status: 200, attempt: 1 },
    });
  });

  test("fetches no token with basic authentication", async () => {
    expect((await calls({ ...ADMIN, auth: "basic" })).asked).toEqual(["getPolicies"]);
  });

  test("prefers a token to username and password, unless `auth` differs", async () => {
    const environment = {
      CONSOLE_TOKEN: TOKEN,
      CONSOLE_USERNAME: ADMIN.username,
      CONSOLE_PASSWORD: ADMIN.password,
    };
    expect((await calls({}, environment)).asked).toEqual(["getPolicies"]);
    expect((await calls({ token: TOKEN, ...ADMIN })).asked).toEqual(["getPolicies"]);
    expect((await calls({ auth: "token", ...ADMIN })).asked).toEqual([
      "authenticate",
      "getPolicies",
    ]);
  });

  test("prefers a client certificate to username and password", async () => {
    const { certificate, key } = await users.issueClientCertificate(ADMIN.username);
    const block = { ...ADMIN, client_certificate: certificate, client_key: key };
    expect((await calls(block)).asked).toEqual(["authenticateClient", "getPolicies"]);
  });

  test("applies retries and timeout", async () => {
    const [{ console }] = simulator.consoles;
    console.faults.add({ target: "getPolicies", outcome: { kind: "reset-before" } });
    const { asked } = await calls({ ...ADMIN, auth: "basic", max_retries: 0 });
    expect(asked).toEqual(["getPolicies"]);
    console.faults.clear();
    console.faults.add({ target: "getPolicies", delay: 5_000 });
    const { records } = await calls({ ...ADMIN, auth: "basic", request_timeout: 0.1 });
    expect(records[0]?.fields).toMatchObject({ code: "CONSOLE_TIMEOUT" });
    console.faults.clear();
  });
});
