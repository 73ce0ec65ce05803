import { status } from "@grpc/grpc-js";
import { existsSync, mkdtempSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getMetadata } from "../../../src/plugin/handlers/get-metadata";
import { shutdown } from "../support/go-plugin";
import { BUNDLE } from "../../support/terraform-project";
import type { PluginClient } from "../support/client";
import { clientCertificate, type ClientCertificate } from "../support/client-certificate";
import { wrongAnswers } from "../support/protocol-calls";
import {
  addressOf,
  connectTo,
  readLine,
  startProvider,
  terraformEnvironment,
  type ProviderProcess,
} from "../support/process";

let certificate: ClientCertificate;
let folder: string;
const clients: PluginClient[] = [];
const processes: ProviderProcess[] = [];

beforeAll(async () => {
  certificate = await clientCertificate();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cdktf-console-process-"));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const { child, ended } of processes.splice(0)) {
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}, command?: readonly string[]) {
  const started = startProvider(
    { ...terraformEnvironment(certificate), TMPDIR: folder, ...environment },
    command,
  );
  processes.push(started);
  return started;
}

function connect(line: string, client?: ClientCertificate) {
  const connected = connectTo(line, client);
  clients.push(connected);
  return connected;
}

const shutDown = (client: PluginClient) =>
  client.call(shutdown, {}, { service: "plugin.GRPCController" });

describe("a provider process of Terraform", () => {
  test("prints one line, serves, and ends on request without leftovers", async () => {
    const { line, ended } = start();
    const reported = readLine(await line);
    const { address } = reported;
    expect(reported).toMatchObject({
      core: "1",
      protocol: "6",
      network: "unix",
      transport: "grpc",
    });
    expect(statSync(dirname(address)).mode & 0o777).toBe(0o700);

    const client = connect(await line, certificate);
    const { resources } = await client.call(getMetadata, {});
    expect(resources).toContainEqual({ typeName: "cwp_license" });

    await shutDown(client);
    const { code, out, err } = await ended;
    expect({ code, out, err }).toEqual({ code: 0, out: `${await line}\n`, err: "" });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["cwp", "null"])("answers every call of the newest protocol (%s)", async (name) => {
    const { line } = start({}, [process.execPath, BUNDLE, name]);
    expect(await wrongAnswers(...addressOf(await line, certificate))).toEqual([]);
  });

  test("serves hashicorp/null on request", async () => {
    const { line } = start({}, [process.execPath, BUNDLE, "null"]);
    const { resources } = await connect(await line, certificate).call(getMetadata, {});
    expect(resources).toEqual([{ typeName: "null_resource" }]);
  });

  test("refuses clients without the certificate of Terraform", async () => {
    const { line } = start();
    for (const wrong of [undefined, await clientCertificate()]) {
      const call = connect(await line, wrong).call(getMetadata, {});
      await expect(call).rejects.toMatchObject({ code: status.UNAVAILABLE });
    }
    await connect(await line, certificate).call(getMetadata, {});
  });

  test("has a different key each time", async () => {
    const lines = await Promise.all([start().line, start().line]);
    expect(new Set(lines.map((line) => readLine(line).certificate)).size).toBe(2);
  });

  test("ignores an interrupt, which Terraform handles", async () => {
    const { line, child } = start();
    await line;
    child.kill("SIGINT");
    await connect(await line, certificate).call(getMetadata, {});
  });

  test("ends on SIGTERM", async () => {
    const { line, child, ended } = start();
    await line;
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("ends when Terraform is killed", async () => {
    // Acts as Terraform: the parent of a provider, with a connection to it.
    const parent = `node ${JSON.stringify(BUNDLE)} & wait`;
    const { line, child } = start({}, ["sh", "-c", parent]);
    await line;
    while (readdirSync(folder).length === 0) await sleep(20);
    child.kill("SIGKILL");
    // The last thing that it does.
    while (readdirSync(folder).length > 0) await sleep(20);
  });

  test("creates its socket elsewhere if the temporary folder is too deep", async () => {
    const deep = join(folder, "d".repeat(120));
    mkdirSync(deep);
    const { address } = readLine(await start({ TMPDIR: deep }).line);
    expect(dirname(dirname(address))).toBe("/tmp");
  });

  test("creates its socket in the folder of the host, if it exists", async () => {
    const said = join(folder, "said");
    mkdirSync(said);
    const { address } = readLine(await start({ PLUGIN_UNIX_SOCKET_DIR: said }).line);
    expect(dirname(dirname(address))).toBe(said);
    const missing = start({ PLUGIN_UNIX_SOCKET_DIR: join(folder, "missing") });
    expect(dirname(dirname(readLine(await missing.line).address))).toBe(folder);
  });
});

describe("a provider process that cannot serve", () => {
  test("describes its installation if it is started by hand", async () => {
    const { code, out, err } = await start({ TF_PLUGIN_MAGIC_COOKIE: "" }).ended;
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^This is the Terraform provider cdktf-console\/cwp .* npx cdktf-console provider install\n$/,
    );
  });

  test.each([
    ["an older protocol", { PLUGIN_PROTOCOL_VERSIONS: "4,5" }, "supports 4,5"],
    ["no certificate", { PLUGIN_CLIENT_CERT: "" }, "sent no client certificate"],
    ["an invalid certificate", { PLUGIN_CLIENT_CERT: "?" }, "sent no client certificate"],
  ])("reports %s in place of the handshake", async (_, environment, reason) => {
    const { code, out, err } = await start(environment).ended;
    expect(code).toBe(1);
    expect(out).toContain(reason);
    expect(err).toBe(out);
    expect(out.split("\n")).toHaveLength(2);
    expect(existsSync(folder) && readdirSync(folder)).toEqual([]);
  });
});
