import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConsoleClient } from "../../src/api";
import { COLLECTION_KINDS, COLLECTIONS, type CollectionKind } from "../../src/api/collections";
import { releasesOf } from "../../src/api/endpoints";
import { NEWEST_RELEASE } from "../../src/api/release";
import { Console, startSimulator, transportTo } from "../../src/simulator";
import { ADMIN, ready } from "./ask";

const ITEMS = [{ name: "first", spelled: "as found" }, { name: "second" }];

describe.each(COLLECTION_KINDS)("the collection %s", (kind: CollectionKind) => {
  test("holds what is loaded, and what a fresh console has after a reset", async () => {
    const console = new Console();
    const fresh = console.collection(kind);
    await console.load({ [kind]: ITEMS });
    expect(console.collection(kind)).toEqual(ITEMS);
    await console.reset();
    expect(console.collection(kind)).toHaveLength(fresh.length);
  });

  test("leaves the other collections alone when it is edited", async () => {
    const console = new Console();
    const before = console.data.collections;
    await console.load({ [kind]: ITEMS });
    await console.edit({ [kind]: [] });
    expect(console.data.collections).toEqual({ ...before, [kind]: [] });
  });

  test("survives a restart", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "simulator-collections-"));
    const first = await startSimulator({ dataDir });
    await first.consoles[0].console.load({ [kind]: ITEMS });
    await first.close();
    const second = await startSimulator({ dataDir });
    expect(second.consoles[0].console.collection(kind)).toEqual(ITEMS);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });

  test("is read and replaced by the client", async () => {
    const release = releasesOf(COLLECTIONS[kind].endpoints.read.name).at(-1) ?? NEWEST_RELEASE;
    const console = await ready(new Console({ release }));
    const client = new ConsoleClient({
      release,
      baseUrl: "https://console.test",
      credentials: { method: "basic", ...ADMIN },
      transport: transportTo(console),
      maxRetries: 0,
    });
    const { envelope } = await client.read(kind);
    await client.replace(kind, { envelope, items: [] });
    expect(await client.read(kind)).toMatchObject({ items: [] });
    expect(console.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
