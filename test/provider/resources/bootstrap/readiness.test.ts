import { CheckpointFolder } from "../../../../src/provider/console/checkpoint-folder";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { ConsoleClient } from "../../../../src/api/client";
import type { Console } from "../../../../src/provider/console/connection";
import { CertificateAuthority, startSimulator } from "../../../../src/simulator";
import { ADMIN, fresh } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";

const TYPE = "cwp_bootstrap";

function connectionTo(baseUrl: string, ca: string): Console {
  const credentials = { method: "token-login", ...ADMIN } as const;
  const client = new ConsoleClient({ baseUrl, credentials, tls: { ca }, maxRetries: 0 });
  const checkpoints = new CheckpointFolder(".", {});
  return { client, release: "20.12", ...ADMIN, directory: ".", checkpoints };
}

/** Returns a free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("waits through a refused port and missing TLS until the console is ready", async () => {
  const port = await freePort();
  const authority = await CertificateAuthority.create("Test");
  const { certificate, key } = await authority.issueServerCertificate();
  const connection = connectionTo(`https://127.0.0.1:${port}`, authority.certificate);
  const engine = new Engine(connection, TYPE);
  const applied = engine.apply({ wait_timeout: 600 });
  const until = async (text: string) => {
    while (!engine.progress.some((line) => line.includes(text))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await until("the connection was refused");
  const plain = createServer((socket) => {
    socket.on("error", () => undefined).resume();
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  }).listen(port, "127.0.0.1");
  await until("TLS");
  await new Promise((resolve) => plain.close(resolve));
  const simulator = await startSimulator({ port, tlsCert: certificate + key });
  try {
    expect(errorsOf(await applied)).toEqual([]);
    expect(engine.state).toMatchObject({ username: "admin" });
    expect(simulator.consoles[0].console.data.users.size).toBe(1);
  } finally {
    await connection.client.close();
    await simulator.close();
  }
});

test("stops at an untrusted certificate, and says what to do", async () => {
  const simulator = await startSimulator();
  const stranger = await CertificateAuthority.create("Somebody else");
  const connection = connectionTo(simulator.consoles[0].url, stranger.certificate);
  try {
    const engine = new Engine(connection, TYPE);
    const [problem] = errorsOf(await engine.apply({}));
    expect(problem?.summary).toBe("TLS connection refused");
    expect(problem?.detail).toContain("ca_certificate");
    expect(engine.progress).toEqual([]);
  } finally {
    await connection.client.close();
    await simulator.close();
  }
});

describe("without a network", () => {
  test("waits at 5xx, and accepts any lower status", async () => {
    const { connection, fault } = fresh();
    fault("ping:status=503:2");
    fault("ping:status=404");
    // One ping is the plan's.
    const engine = await new Engine(connection, TYPE).applied({});
    expect(engine.progress).toHaveLength(1);
    expect(engine.progress[0]).toContain("503");
  });

  test("stops at wait_timeout with the last failure", async () => {
    const { connection, fault, console, writes } = fresh();
    fault("ping:status=503,body=html");
    const engine = new Engine(connection, TYPE);
    const start = Date.now();
    const [problem] = errorsOf(await engine.apply({ wait_timeout: 0.2 }));
    expect(Date.now() - start).toBeGreaterThanOrEqual(190);
    expect(problem?.summary).toBe("Console is not ready");
    expect(problem?.detail).toContain("0.2 s");
    expect(problem?.detail).toContain("503");
    expect(problem?.path).toEqual(["wait_timeout"]);
    // In the plan, at the beginning and at the end.
    expect(console.requests).toHaveLength(3);
    expect(writes()).toEqual([]);
  });

  test("asks once for 0", async () => {
    const { connection, fault, console } = fresh();
    fault("ping:reset-before");
    const engine = new Engine(connection, TYPE);
    const plan = await engine.plan({ wait_timeout: 0 });
    console.requests.length = 0;
    expect(errorsOf(await engine.applyPlan({ wait_timeout: 0 }, plan))).toHaveLength(1);
    expect(console.requests).toHaveLength(1);
  });

  test("stops at an interruption", async () => {
    const { connection, fault } = fresh();
    fault("ping:status=503");
    const abort = new AbortController();
    const engine = new Engine(connection, TYPE, { signal: abort.signal });
    const applied = engine.apply({});
    setTimeout(() => {
      abort.abort();
    }, 20);
    expect(summaries(errorsOf(await applied))).toEqual(["Interrupted"]);
    expect(engine.stored).toBeUndefined();
  });
});
