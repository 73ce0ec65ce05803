import { existsSync, readFileSync } from "node:fs";
import { connect, type ConnectionOptions } from "node:tls";
import { RELEASES } from "../../src/api/release";
import {
  CertificateAuthority,
  parseFault,
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator";
import { ADMIN, basic } from "./ask";
import { httpsClient } from "./https";

const POLICIES = "/api/v1/policies/compliance/container";
const authorization = basic(ADMIN);
const closers: (() => Promise<void>)[] = [];

async function start(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ signedUp: ADMIN, licensed: true, ...options });
  const client = httpsClient(simulator.ca);
  closers.unshift(client.close, () => simulator.close());
  return {
    simulator,
    client,
    console: simulator.consoles[0].console,
    url: simulator.consoles[0].url,
  };
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test.each(RELEASES)("serves release %s over verified HTTPS", async (release) => {
  const { simulator, client, url } = await start({ release });
  expect(simulator.release).toBe(release);
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect((await client.call(`${url}/api/v1/_ping`)).status).toBe(200);
  expect((await client.call(`${url}${POLICIES}`)).status).toBe(401);
  const { status, text } = await client.call(`${url}${POLICIES}`, { authorization });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toHaveLength(2);
  const path = release === "20.04" ? "serverless-auto-protect" : "serverless-auto-deploy";
  const settings = await client.call(`${url}/api/v1/settings/${path}`, { authorization });
  expect(settings.text).toBe("[]");
});

test("signs up and licenses a fresh console", async () => {
  const { client, url } = await start({ signedUp: undefined, licensed: false });
  const post = (path: string, body: unknown, token?: string) =>
    client.call(`${url}/api/v1/${path}`, {
      method: "POST",
      body,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    });
  expect((await post("signup", ADMIN)).status).toBe(200);
  expect((await post("signup", ADMIN)).status).toBe(400);
  const { token } = JSON.parse((await post("authenticate", ADMIN)).text) as { token: string };
  expect((await post("settings/license", { key: "k" }, token)).text).toBe("{}");
  const put = { method: "PUT", body: [], authorization: `Bearer ${token}` } as const;
  expect((await client.call(url + POLICIES, put)).status).toBe(200);
});

test("refuses a client that does not trust the authority", async () => {
  const { url } = await start();
  const other = await CertificateAuthority.create("Other");
  const stranger = httpsClient(other.certificate);
  closers.unshift(stranger.close);
  await expect(stranger.call(`${url}/api/v1/_ping`)).rejects.toMatchObject({
    code: expect.stringMatching(/SIGNATURE|VERIFY|ISSUER/) as string,
  });
});

test("serves localhost and ::1 with its certificate", async () => {
  for (const host of ["localhost", "::1"] as const) {
    const { client, url } = await start({ host });
    expect((await client.call(`${url}/api/v1/_ping`)).status).toBe(200);
  }
});

test("serves several consoles on one port with separate states", async () => {
  const { simulator, client } = await start({ tenants: 3 });
  const [first, second, third] = simulator.consoles;
  const origin = new URL(first.url).origin;
  expect(simulator.consoles.map(({ name, url }) => [name, url])).toEqual(
    ["tenant-0001", "tenant-0002", "tenant-0003"].map((name) => [name, `${origin}/${name}`]),
  );
  await client.call(second!.url + POLICIES, { method: "PUT", body: [], authorization });
  expect(first.console.policies()).toHaveLength(2);
  expect(second!.console.policies()).toHaveLength(0);
  expect(third!.console.requests).toHaveLength(0);
  expect((await client.call(`${origin}/tenant-0004/api/v1/_ping`)).status).toBe(404);
  expect((await client.call(`${origin}/api/v1/_ping`)).status).toBe(404);
});

test("writes the authority's certificate to a file until it closes", async () => {
  const { simulator } = await start();
  expect(readFileSync(simulator.caFile, "utf8")).toBe(simulator.ca);
  await simulator.close();
  expect(existsSync(simulator.caFile)).toBe(false);
});

test("closes with open connections and delayed answers", async () => {
  const { simulator, client, url } = await start({ faults: [parseFault("ping:delay=3600000")] });
  await client.call(url + POLICIES, { authorization });
  const late = client.call(`${url}/api/v1/_ping`);
  while (simulator.consoles[0].console.requests.length < 1) await new Promise(setImmediate);
  await simulator.close();
  await late.catch(() => undefined);
  await expect(client.call(`${url}/api/v1/_ping`)).rejects.toThrow();
});

describe("faults on the wire", () => {
  test("a reset before the effect", async () => {
    const { client, console, url } = await start({
      faults: [parseFault("putCompliancePolicies:reset-before:1")],
    });
    const put = () => client.call(url + POLICIES, { method: "PUT", body: [], authorization });
    await expect(put()).rejects.toThrow();
    expect(console.policies()).toHaveLength(2);
    expect((await put()).status).toBe(200);
  });

  test("a reset after the effect", async () => {
    const { client, console, url } = await start({
      faults: [parseFault("putCompliancePolicies:reset-after:1")],
    });
    const put = () => client.call(url + POLICIES, { method: "PUT", body: [], authorization });
    await expect(put()).rejects.toThrow();
    expect(console.policies()).toHaveLength(0);
  });

  test("an answer that breaks off", async () => {
    const { client, url } = await start({
      faults: [parseFault("getCompliancePolicies:truncate:1")],
    });
    await expect(client.call(url + POLICIES, { authorization })).rejects.toThrow();
    expect((await client.call(url + POLICIES, { authorization })).status).toBe(200);
  });

  test("a status with Retry-After and a page of HTML", async () => {
    const { client, url } = await start({
      faults: [parseFault("*:status=429,retry-after=3,body=html:1")],
    });
    const { status, headers, text } = await client.call(url + POLICIES, { authorization });
    expect([status, headers["retry-after"], headers["content-type"]]).toEqual([
      429,
      "3",
      "text/html; charset=utf-8",
    ]);
    expect(text).toContain("<html>");
  });
});

/** Sends one POST on a separate TLS connection. */
function exchangeOnce(path: string, options: ConnectionOptions) {
  return new Promise<{ resumed: boolean; head: string; session: Buffer }>((resolve, reject) => {
    const socket = connect(options);
    let session: Buffer = Buffer.alloc(0);
    let answer = "";
    socket.on("error", reject);
    socket.on("session", (ticket: Buffer) => (session = ticket));
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("end", () => {
      const [head = ""] = answer.split("\r\n", 1);
      resolve({ resumed: socket.isSessionReused(), head, session });
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });
}

describe("client certificates", () => {
  const path = "/api/v1/authenticate-client";
  let simulator: Simulator;
  let users: CertificateAuthority;

  beforeEach(async () => {
    users = await CertificateAuthority.create("Users");
    ({ simulator } = await start({ clientCa: users.certificate }));
  });

  async function authenticate(as?: { authority: CertificateAuthority; name: string }) {
    const certificate = as && (await as.authority.issueClientCertificate(as.name));
    const client = httpsClient(simulator.ca, certificate);
    closers.unshift(client.close);
    return client.call(simulator.consoles[0].url + path, { method: "POST" });
  }

  test("of a user issue a token that works without the certificate", async () => {
    const { status, text } = await authenticate({ authority: users, name: ADMIN.username });
    expect(status).toBe(200);
    const { token } = JSON.parse(text) as { token: string };
    const client = httpsClient(simulator.ca);
    closers.unshift(client.close);
    const url = simulator.consoles[0].url + POLICIES;
    expect((await client.call(url, { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  test("authenticate on a resumed TLS session", async () => {
    const { hostname, port } = new URL(simulator.consoles[0].url);
    const { certificate: cert, key } = await users.issueClientCertificate(ADMIN.username);
    const options = { host: hostname, port: Number(port), ca: simulator.ca, cert, key };
    const first = await exchangeOnce(path, options);
    const second = await exchangeOnce(path, { ...options, session: first.session });
    expect(first).toMatchObject({ resumed: false, head: "HTTP/1.1 200 OK" });
    expect(second).toMatchObject({ resumed: true, head: "HTTP/1.1 200 OK" });
  });

  test("of a directory user contain the backslash", async () => {
    const name = "CORP\\jörg, the second";
    await simulator.consoles[0].console.addUser(name, "p");
    expect((await authenticate({ authority: users, name })).status).toBe(200);
  });

  test("are refused with 401 if missing, untrusted or of an unknown user", async () => {
    const other = await CertificateAuthority.create("Users");
    expect((await authenticate()).status).toBe(401);
    expect((await authenticate({ authority: other, name: ADMIN.username })).status).toBe(401);
    expect((await authenticate({ authority: users, name: "nobody" })).status).toBe(401);
  });
});

test("answers 401 to a certificate that is not requested", async () => {
  const { simulator, url } = await start();
  const users = await CertificateAuthority.create("Users");
  const client = httpsClient(simulator.ca, await users.issueClientCertificate(ADMIN.username));
  closers.unshift(client.close);
  const { status } = await client.call(`${url}/api/v1/authenticate-client`, { method: "POST" });
  expect(status).toBe(401);
});

test("serves with a given certificate", async () => {
  const own = await CertificateAuthority.create("Own");
  const { certificate, key } = await own.issueServerCertificate();
  const { simulator, url } = await start({ tlsCert: `${key}\n${certificate}` });
  expect(simulator.ca.trim()).toBe(certificate.trim());
  const client = httpsClient(own.certificate);
  closers.unshift(client.close);
  expect((await client.call(`${url}/api/v1/_ping`)).status).toBe(200);
});

describe("refuses to start with", () => {
  test("a port in use", async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(startSimulator({ port })).rejects.toMatchObject({
      name: "SimulatorError",
      code: "port-in-use",
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`) as string,
    });
  });

  test.each<[string, SimulatorOptions, string]>([
    ["a host beyond this machine", { host: "0.0.0.0" as "localhost" }, "this machine only"],
    ["no tenant", { tenants: 0 }, "1 to 9999"],
    ["half a port", { port: 80.5 }, "0 to 65535"],
    ["an authority that is none", { clientCa: "x" }, "PEM text"],
    ["a certificate without a key", { tlsCert: "x" }, "there is no certificate in it"],
  ])("%s", async (_, options, reason) => {
    await expect(startSimulator(options)).rejects.toThrow(reason);
  });

  test("a certificate and a key that do not match", async () => {
    const own = await CertificateAuthority.create("Own");
    const { certificate } = await own.issueServerCertificate();
    const { key } = await own.issueServerCertificate();
    await expect(startSimulator({ tlsCert: certificate + key })).rejects.toMatchObject({
      code: "bad-certificate",
    });
    await expect(startSimulator({ tlsCert: certificate })).rejects.toThrow("no private key");
  });
});
