import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { emptyState } from "../../src/core/documents/state";
import { world } from "../../src/core/io/world";
import { stateServers } from "../../src/backends/http-request";
import { openBackend } from "../../src/language/config/open-backend";
import { freshFolder } from "./folder";
import { HabitualStore, type Keeping, type StoreKind } from "./habitual-store";
import { withInstance } from "./object-store-promises";

const KINDS: readonly StoreKind[] = ["s3", "gcs", "azurerm", "http"];
const ADDRESS = "https://states.invalid/state";
const BLOCKS: Readonly<Record<StoreKind, object>> = {
  s3: { bucket: "states", key: "app/state", region: "eu-west-1", use_lockfile: true },
  gcs: { bucket: "states", prefix: "app" },
  azurerm: { storage_account_name: "states", container_name: "app", key: "state" },
  http: { address: ADDRESS, lock_address: ADDRESS, unlock_address: ADDRESS },
};
const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: "ann",
  AWS_SECRET_ACCESS_KEY: "words",
  GOOGLE_OAUTH_ACCESS_TOKEN: "token",
  ARM_ACCESS_KEY: Buffer.from("key").toString("base64"),
};

const { exchange } = stateServers();
const { clock } = world;
let pauses: number[];
beforeEach(() => {
  pauses = [];
  const sleep = (milliseconds: number) => {
    pauses.push(milliseconds);
    return Promise.resolve();
  };
  world.clock = { ...clock, sleep };
});
afterEach(() => {
  stateServers().exchange = exchange;
  world.clock = clock;
});

function open(kind: StoreKind) {
  const store = new HabitualStore(kind);
  stateServers().exchange = store.exchange;
  const directory = freshFolder();
  const at = { directory, workspace: "default", environment: ENVIRONMENT };
  const block = { backend: { [kind]: BLOCKS[kind] } };
  const { backend, diagnostics } = openBackend(block, { ...at, workingDirectory: directory });
  expect(diagnostics).toEqual([]);
  return { store, backend: backend!, directory };
}

describe.each(KINDS)("a state in %s", (kind) => {
  test.each<[Keeping, boolean]>(
    (["nothing", "a part", "other bytes"] as const).flatMap((keeping) => [
      [keeping, true],
      [keeping, false],
    ]),
  )("is not taken for stored by a server that keeps %s (checksums: %s)", async (keeping, sums) => {
    const { store, backend, directory } = open(kind);
    store.keeping = keeping;
    store.hasChecksums = sums;
    await backend.read();
    const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(state).toBeUndefined();
    const [{ summary, detail } = { summary: "", detail: "" }] = diagnostics;
    expect(summary).toBe("State could not be written");
    expect(detail).toContain("does not return what was written");
    expect(detail).toContain(join(directory, "errored.tfstate"));
    const saved = readFileSync(join(directory, "errored.tfstate"), "utf8");
    expect(JSON.parse(saved)).toMatchObject({ serial: 1, resources: [{}] });
  });

  test.each([true, false])(
    "is written again and again, with one request more at most (checksums: %s)",
    async (sums) => {
      const { store, backend } = open(kind);
      store.hasChecksums = sums;
      const { lock } = await backend.lock({ operation: "apply" });
      await backend.read();
      for (const name of ["a", "b"]) {
        const before = store.requests.length;
        const { diagnostics } = await backend.write(withInstance(emptyState(), `t_t.${name}`));
        expect(diagnostics).toEqual([]);
        const isProved = sums && kind !== "http";
        expect(store.requests.length - before).toBe(isProved ? 1 : 2);
      }
      expect(await lock!.release()).toEqual([]);
    },
  );

  test("is written and unlocked although a proxy makes ETags weak", async () => {
    const { store, backend } = open(kind);
    store.isWeak = true;
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    await backend.write(withInstance(emptyState(), "t_t.a"));
    expect((await backend.write(withInstance(emptyState(), "t_t.b"))).diagnostics).toEqual([]);
    expect(await lock!.release()).toEqual([]);
    expect([...store.objects.keys()].filter((name) => name.endsWith("lock"))).toEqual([]);
  });
});

test("an error in a body of S3 with the status 200 is an error", async () => {
  const { store, backend } = open("s3");
  await backend.read();
  const body = Buffer.from("<?xml?><Error><Code>InternalError</Code><Message>m</Message></Error>");
  store.habit = ({ method }) => (method === "PUT" ? { status: 200, body } : undefined);
  const { diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
  expect(diagnostics[0]?.detail).toContain("S3 answered 200 InternalError to the request to write");
});

test("an error of S3 with the status 200 repeats no credential", async () => {
  const { store, backend } = open("s3");
  await backend.read();
  store.habit = ({ method, headers }) => {
    const message = `<Error><Code>Denied</Code><Message>${JSON.stringify(headers)}</Message></Error>`;
    return method === "PUT" ? { status: 200, body: Buffer.from(message) } : undefined;
  };
  const { diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
  expect(diagnostics[0]?.detail).toContain("S3 answered 200 Denied");
  expect(diagnostics[0]?.detail).toContain("[redacted]");
  expect(diagnostics[0]?.detail).not.toMatch(/Signature=[\da-f]/);
});

test.each<[StoreKind, RegExp, RegExp]>([
  ["s3", /^PUT .*tflock/, /refuses to create .*tflock/],
  ["gcs", /^POST/, /refuses to create .*tflock/],
  ["azurerm", /^PUT/, /grants no lease/],
])(
  "a lock of %s that is refused and not there ends the run, after pauses",
  async (kind, write, text) => {
    const { store, backend } = open(kind);
    store.habit = ({ method, url }) =>
      write.test(`${method} ${url.pathname}`)
        ? { status: kind === "azurerm" ? 409 : 412 }
        : undefined;
    const { lock, diagnostics } = await backend.lock({ operation: "apply" });
    expect(lock).toBeUndefined();
    expect(diagnostics[0]?.detail).toMatch(text);
    expect(store.requests.length).toBeLessThan(30);
    expect(pauses.length).toBeGreaterThan(2);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  },
);

test("a lock whose version never matches is removed by its ID", async () => {
  const { store, backend } = open("s3");
  const { lock } = await backend.lock({ operation: "apply" });
  store.habit = ({ method, headers }) =>
    method === "DELETE" && headers["if-match"] !== undefined ? { status: 412 } : undefined;
  expect(await lock!.release()).toEqual([]);
  expect(store.objects.size).toBe(0);
});

test.each<[StoreKind, string]>([
  ["s3", "it is not locked"],
  ["gcs", "it is not locked"],
])("force-unlock is not advised for a lock of %s that is gone", async (kind, text) => {
  const { store, backend } = open(kind);
  const { lock } = await backend.lock({ operation: "apply" });
  store.objects.clear();
  const [{ summary, detail } = { summary: "", detail: "" }] = await lock!.release();
  expect(summary).toBe("Error releasing the state lock");
  expect(detail).toContain(text);
  expect(detail).not.toContain("force-unlock");
});

test("force-unlock is advised with the ID of the holder only", async () => {
  const { store, backend } = open("s3");
  const { lock } = await backend.lock({ operation: "apply" });
  const [name = ""] = store.objects.keys();
  store.objects.set(name, { bytes: Buffer.from('{"Who": "ann"}'), version: '"9"' });
  expect((await lock!.release())[0]?.detail).not.toContain("force-unlock");
  const { diagnostics } = await backend.lock({ operation: "apply" });
  expect(diagnostics[0]?.detail).toContain("Its ID is not known");
  expect(diagnostics[0]?.detail).not.toContain("force-unlock");
});

test("a truncated state is called so", async () => {
  const { store, backend } = open("http");
  await backend.read();
  await backend.write(withInstance(emptyState(), "t_t.a"));
  const [stored] = store.objects.values();
  const body = stored!.bytes.subarray(0, 80);
  store.habit = ({ method }) => (method === "GET" ? { status: 200, body } : undefined);
  const { diagnostics } = await backend.read();
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["State file is truncated"]);
});

test("an answer that is cut off is called truncated, with the bytes that arrived", async () => {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"version": 4,');
    setImmediate(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  const directory = freshFolder();
  const { backend } = openBackend(
    { backend: { http: { address, retry_max: 0 } } },
    { directory, workspace: "default", environment: {}, workingDirectory: directory },
  );
  const { diagnostics } = await backend!.read();
  await new Promise((resolve) => server.close(resolve));
  expect(diagnostics[0]?.detail).toMatch(/the answer is truncated, after 14 of 1000 bytes/);
});
