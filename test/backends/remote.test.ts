import { existsSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { backendOf } from "../../src/language/config/open-backend";
import { parseAddress } from "../../src/core/documents/address";
import { setInstance } from "../../src/backends/state/instances";
import { emptyState, newInstance, type State } from "../../src/core/documents/state";
import { StateServer } from "../support/state-server";
import { freshFolder } from "./folder";
import { checkpoint, created } from "./records";

let server: StateServer;
beforeEach(async () => {
  server = await StateServer.open();
});
afterEach(() => server.close());

function open(settings: object = {}, environment: Record<string, string> = {}) {
  const workingDirectory = freshFolder();
  const { backend, diagnostics } = backendOf(
    { type: "http", settings: { ...server.backend().http, ...settings } },
    { directory: workingDirectory, workspace: "default", environment, workingDirectory },
  );
  expect(diagnostics).toEqual([]);
  return { backend: backend!, workingDirectory };
}

const withInstance = (state: State, address: string) =>
  setInstance(state, parseAddress(address)!, "p", newInstance({ id: address }));
const summaries = (diagnostics: readonly { summary: string }[]) =>
  diagnostics.map(({ summary }) => summary);

test("keeps lineage and increases the serial, as in a file", async () => {
  const { backend } = open();
  const { lock } = await backend.lock({ operation: "apply" });
  expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
  const first = await backend.write(withInstance(emptyState(), "t_t.a"));
  expect(first.state).toMatchObject({ serial: 1 });
  const second = await backend.write(withInstance(first.state!, "t_t.b"));
  expect(second.state).toMatchObject({ serial: 2, lineage: first.state!.lineage });
  expect(await backend.write(second.state!)).toMatchObject({ state: { serial: 2 } });
  expect(server.json()).toMatchObject({ serial: 2, resources: [{}, {}] });
  expect(await lock!.release()).toEqual([]);
  expect(server.lockedBy()).toBeUndefined();
});

test("keeps another text next to it, in a state that servers take", async () => {
  const { backend } = open();
  const text = backend.beside!("night 1.2/a.jsonl");
  expect(await text.get()).toBeUndefined();
  const { lock } = await backend.lock({ operation: "apply" });
  for (const lines of ["one\n", 'one\n"two" é\n']) {
    await text.put(Buffer.from(lines));
    expect((await text.get())?.toString("utf8")).toBe(lines);
  }
  const name = "prod-night-1-2-a-jsonl";
  expect(text.location).toBe(server.url(name));
  expect(server.json(name)).toMatchObject({ serial: 13, resources: [] });
  expect(server.text()).toBe("");
  await lock!.release();
});

test("locks out others until it is released, or unlocked by its ID", async () => {
  const [one, other] = [open().backend, open().backend];
  const { lock } = await one.lock({ operation: "apply" });
  const { lock: none, diagnostics } = await other.lock({ operation: "plan" });
  expect(none).toBeUndefined();
  expect(summaries(diagnostics)).toEqual(["State is locked"]);
  expect(diagnostics[0]?.detail).toContain(`force-unlock ${lock!.id}`);

  const waiting = other.lock({ operation: "plan", waitMs: 30_000 });
  await lock!.release();
  expect((await waiting).lock).toBeDefined();
  expect(await one.forceUnlock(server.lockedBy()!)).toEqual([]);
  expect(server.lockedBy()).toBeUndefined();
});

test("takes a lock whose answer was lost for its own", async () => {
  const { backend } = open();
  server.faults.push("drop");
  const { lock } = await backend.lock({ operation: "apply" });
  expect(server.requests).toEqual(["LOCK /prod", "LOCK /prod"]);
  expect(server.lockedBy()).toBe(lock!.id);
});

test("stores a checkpoint at once, and other records within seconds", async () => {
  const { backend } = open();
  await backend.lock({ operation: "apply" });
  await backend.read();
  const { journal } = await backend.journal();
  journal!.note({ kind: "intent", address: "t_t.a", action: "create" });
  expect(server.text()).toBe("");
  await journal!.append(checkpoint("t_t.a"));
  expect(server.json()).toMatchObject({ serial: 1, resources: [{}] });
  await journal!.append(created("t_t.b"));
  while (server.updates.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.json()).toMatchObject({ serial: 2, resources: [{}, {}] });
});

test("starts nothing new after a checkpoint that could not be stored", async () => {
  const { backend } = open();
  await backend.lock({ operation: "apply" });
  await backend.read();
  const { journal } = await backend.journal();
  server.faults.push(500, 500, 500);
  await expect(journal!.append(checkpoint("t_t.a"))).rejects.toThrow(
    "could not be written: the server answered 500",
  );
  await expect(journal!.append(created("t_t.b"))).rejects.toThrow("could not be written");
});

test("repeats requests, and keeps a state that cannot be written in a file", async () => {
  const { backend, workingDirectory } = open();
  await backend.lock({ operation: "apply" });
  await backend.read();
  server.faults.push(503, "drop");
  expect((await backend.write(withInstance(emptyState(), "t_t.a"))).diagnostics).toEqual([]);
  server.faults.push(503, 503, 503);
  const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.b"));
  expect(state).toBeUndefined();
  const rescued = join(workingDirectory, "errored.tfstate");
  expect(diagnostics[0]?.detail).toContain(`cdktf-console state push ${rescued}`);
  expect(JSON.parse(readFileSync(rescued, "utf8"))).toMatchObject({ serial: 2 });
});

test("without locks, does not write over the change of another program", async () => {
  const { backend, workingDirectory } = open({ lock_address: undefined });
  await backend.lock({ operation: "apply" });
  await backend.read();
  server.put('{"version": 4, "serial": 7, "lineage": "other"}');
  const { diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
  expect(diagnostics[0]?.detail).toContain("another program changed it");
  expect(server.json()).toMatchObject({ serial: 7 });
  expect(existsSync(join(workingDirectory, "errored.tfstate"))).toBe(true);
});

test("takes credentials from the environment, and shows none", async () => {
  const closed = await StateServer.open("ann:s3cret-word");
  try {
    const { http } = closed.backend();
    const wrong = open({ ...http, username: "ann", password: "s3cret-wrong" }).backend;
    const { diagnostics } = await wrong.read();
    expect(diagnostics[0]?.detail).toMatch(/answered 401.*TF_HTTP_PASSWORD/);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
    const environment = { TF_HTTP_USERNAME: "ann", TF_HTTP_PASSWORD: "s3cret-word" };
    expect((await open(http, environment).backend.read()).diagnostics).toEqual([]);
    const inUrl = { ...http, address: http.address.replace("//", "//ann:s3cret-word@") };
    const { backend } = open(inUrl);
    expect(backend.location).toBe(http.address);
    expect((await backend.read()).diagnostics).toEqual([]);
  } finally {
    await closed.close();
  }
});

test("has no workspaces, and needs an address", () => {
  const at = { directory: "/app", workspace: "default", environment: {} };
  const { diagnostics } = backendOf({ type: "http", settings: {} }, at);
  expect(diagnostics[0]?.detail).toContain("TF_HTTP_ADDRESS");
  const settings = { address: server.url() };
  const staged = backendOf({ type: "http", settings }, { ...at, workspace: "stage" });
  expect(summaries(staged.diagnostics)).toEqual(["Backend without workspaces"]);
});

describe("a proxy that opens no tunnel", () => {
  test.each(["https", "http"])(
    "is named, and asked once an attempt, for an %s address",
    async (scheme) => {
      let asked = 0;
      const proxy = createServer((socket) => {
        socket
          .on("error", () => undefined)
          .once("data", () => {
            asked++;
            socket.destroy();
          });
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const url = `http://ann:s3cret-word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      try {
        const environment = { HTTPS_PROXY: url, HTTP_PROXY: url };
        const { backend } = open({ address: `${scheme}://state.invalid/prod` }, environment);
        const { diagnostics } = await backend.read();
        expect(diagnostics[0]?.detail).toContain(
          `the proxy ${new URL(url).origin} opened no tunnel`,
        );
        expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
        // Two repetitions, as Terraform's default.
        expect(asked).toBe(3);
      } finally {
        await new Promise((resolve) => proxy.close(resolve));
      }
    },
  );

  test("is not asked for hosts of NO_PROXY", async () => {
    const environment = { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
    expect((await open({}, environment).backend.read()).diagnostics).toEqual([]);
  });
});
