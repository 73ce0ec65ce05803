import { CheckpointFolder } from "../../src/provider/console/checkpoint-folder";
import { ConsoleClient } from "../../src/api/client";
import type { Transport } from "../../src/api/http/transport";
import { configurationAttributes } from "../../src/provider/configuration/configuration-attributes";
import type { LogRecord } from "../../src/core/io/log";
import type { ObjectValue } from "../../src/core/values";
import { parseFault, startSimulator } from "../../src/simulator";
import { complete, Engine, provider } from "./support/engine";

/*
 * Every secret of a stack passes create, read, update, destroy and all faults. None appears in a
 * state, a private state, a plan, a checkpoint, a diagnostic, a line of progress or a log record.
 */

const SECRETS = {
  password: 'canary-p4ss/word+"\\ü',
  key: "canary-license-key",
  secret: "canary-inline-secret",
  apiToken: "canary-api-token",
  rotated: "canary-rotated",
};

/** A secret with the encodings in which it is sent. */
function spellings(secret: string): readonly string[] {
  return [
    "canary",
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(`admin:${secret}`).toString("base64"),
    encodeURIComponent(secret),
  ];
}

const FAULTS = [
  "status=400",
  "status=401",
  "status=402",
  "status=500,body=html",
  "reset-before",
  "reset-after",
  "truncate",
  "html",
];

const STEPS: readonly (readonly [string, ObjectValue, ObjectValue])[] = [
  ["cwp_bootstrap", { wait_timeout: 0 }, { wait_timeout: 0, password: SECRETS.password }],
  ["cwp_license", { key: SECRETS.key }, { key: SECRETS.rotated }],
  [
    "cwp_registry_scan",
    registry({ type: "aws", secret: SECRETS.secret, api_token: SECRETS.apiToken }),
    registry({ type: "aws", secret: SECRETS.rotated }),
  ],
  [
    "cwp_registry_scan",
    registry({ type: "basic", account_id: "u", secret: SECRETS.secret }),
    registry({ type: "aws", account_id: "u", secret: SECRETS.rotated }),
  ],
];

function registry(credential: ObjectValue): ObjectValue {
  return { specifications: [{ registry: "r", repository: "a", tag: "", credential }] };
}

test.each(["none", ...FAULTS])("with the fault %s", async (fault) => {
  const user = { username: "admin", password: SECRETS.password };
  const simulator = await startSimulator({ release: "20.04", licensed: true });
  const [{ url, console }] = simulator.consoles;
  const records: LogRecord[] = [];
  const config = complete(configurationAttributes, {
    base_url: url,
    ca_certificate: simulator.ca,
    release: "20.04",
    max_retries: 0,
    ...user,
  });
  const { connection, diagnostics } = await provider.configure(config, {}, (one) => {
    records.push(one);
  });
  if (!connection) throw new Error("no connection");
  const seen: unknown[] = [diagnostics];
  try {
    for (const [type, first, second] of STEPS) {
      const engine = new Engine(connection, type, { onCheckpoint: (point) => seen.push(point) });
      for (const step of [first, second, null]) {
        // Affects the writes of the step, then its reads, and then passes.
        for (const target of ["PUT /", "POST /", "GET /"]) {
          if (fault !== "none") console.faults.add(parseFault(`${target}:${fault}:1`));
        }
        seen.push(engine.validate(step ?? first), await engine.apply(step), engine.stored);
        console.faults.clear();
        seen.push(await engine.apply(step), engine.stored);
      }
      seen.push(engine.seen, engine.progress);
    }
  } finally {
    await provider.close(connection);
    await simulator.close();
  }
  const reported = JSON.stringify([seen, records]);
  expect(records.length).toBeGreaterThan(20);
  for (const secret of Object.values(SECRETS).flatMap(spellings)) {
    expect(reported).not.toContain(secret);
  }
});

test("hides secrets that a console sends back", async () => {
  const transport: Transport = ({ path, body, headers }) => {
    async function* bytes() {
      await Promise.resolve();
      yield Buffer.from(
        JSON.stringify({ err: `no: ${String(body)} ${String(headers.authorization)}` }),
      );
    }
    if (path.endsWith("_ping")) return Promise.resolve({ status: 200, headers: {}, body: bytes() });
    return Promise.resolve({ status: 400, headers: {}, body: bytes() });
  };
  const { password } = SECRETS;
  for (const method of ["basic", "token-login"] as const) {
    const client = new ConsoleClient({
      baseUrl: "https://console.test",
      release: "20.04",
      credentials: { method, username: "admin", password },
      transport,
    });
    const user = { username: "admin", password };
    const checkpoints = new CheckpointFolder(".", {});
    const connection = { client, release: "20.04", ...user, directory: ".", checkpoints } as const;
    for (const [type, first] of STEPS) {
      const engine = new Engine(connection, type);
      const reported = JSON.stringify([await engine.apply(first), engine.seen]);
      expect(reported).toContain("no: ");
      for (const secret of Object.values(SECRETS).flatMap(spellings)) {
        expect(reported).not.toContain(secret);
      }
    }
  }
});
