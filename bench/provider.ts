import { spawn, type ChildProcess } from "node:child_process";
import { connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { join } from "node:path";
import { connect } from "node:tls";
import {
  clientCertificate,
  type ClientCertificate,
} from "../test/plugin/support/client-certificate";
import { node, root } from "./command";
import { report, time, timeInPairs } from "./pairs";

const RUNS = 15;
/** An answer of fewer bytes is no schema. */
const SCHEMA_BYTES = 1000;

/**
 * How long Terraform waits for the provider to report where it serves, and for its schema, beside an
 * empty Node program.
 */
export async function benchProvider(): Promise<void> {
  const client = await clientCertificate();
  const env = {
    ...process.env,
    TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
    PLUGIN_PROTOCOL_VERSIONS: "6",
    PLUGIN_CLIENT_CERT: client.certificate,
  };
  const empty = () => time(() => node(["-e", "0"]));
  report(
    "handshake of the provider / empty Node program",
    2,
    await timeInPairs(RUNS, () => until(env, () => Promise.resolve()), empty),
  );
  report(
    "schema of the provider / empty Node program",
    2.2,
    await timeInPairs(RUNS, () => until(env, (line) => readSchema(line, client)), empty),
  );
}

/** Starts the provider, and measures the time until something was done with its handshake line. */
async function until(
  env: NodeJS.ProcessEnv,
  done: (line: string) => Promise<void>,
): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [join(root, "dist/provider.js")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await done(await lineOf(child));
  const elapsed = performance.now() - start;
  child.kill("SIGTERM");
  // The next one starts when this one is gone.
  await ended;
  return elapsed;
}

function lineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => {
      resolve(line.toString());
    });
    child.once("error", reject);
    child.once("close", () => {
      reject(new Error("the provider printed nothing"));
    });
  });
}

/**
 * Calls GetProviderSchema as Terraform does. The certificate has to be one for clients: with one for
 * servers the provider closes the connection.
 */
function readSchema(line: string, { key, certificate }: ClientCertificate): Promise<void> {
  const [, , , path = "", , encoded = ""] = line.trim().split("|");
  const ca = `-----BEGIN CERTIFICATE-----\n${encoded.padEnd(Math.ceil(encoded.length / 4) * 4, "=")}\n-----END CERTIFICATE-----\n`;
  const tls = { path, key, cert: certificate, ca, servername: "localhost", ALPNProtocols: ["h2"] };
  const session = connectHttp2("https://localhost", { createConnection: () => connect(tls) });
  return new Promise((resolve, reject) => {
    session.once("error", reject);
    let received = 0;
    const call = session.request({
      ":method": "POST",
      ":path": "/tfplugin6.Provider/GetProviderSchema",
      "content-type": "application/grpc",
      te: "trailers",
    });
    call.on("data", (chunk: Buffer) => (received += chunk.length));
    call.once("trailers", (trailers: IncomingHttpHeaders) => {
      session.destroy();
      if (trailers["grpc-status"] === "0" && received > SCHEMA_BYTES) resolve();
      else reject(new Error(`the provider answered with ${received} bytes of schema`));
    });
    // An empty message.
    call.end(Buffer.alloc(5));
  });
}
