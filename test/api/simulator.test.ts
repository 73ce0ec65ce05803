import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectItems } from "../../src/api/areas/list";
import {
  ConsoleClient,
  type ClientOptions,
  layerTimes,
  type Release,
  RELEASES,
  saveFile,
} from "../../src/api";
import { hasChange } from "../../src/api/release";
import { Console, ManualClock, transportTo } from "../../src/simulator";

const ADMIN = { username: "admin", password: "canary-password" };

/** Creates a client and a console in process, with one clock that only sleeping advances. */
async function consoleOf(release: Release, options: Partial<ClientOptions> = {}) {
  const clock = new ManualClock();
  const console = new Console({ clock, release });
  await console.addUser(ADMIN.username, ADMIN.password);
  await console.installLicense();
  return new ConsoleClient({
    baseUrl: "https://console.test",
    release,
    credentials: { method: "token-login", ...ADMIN },
    transport: transportTo(console),
    now: () => clock.now().getTime(),
    sleep: (milliseconds) => {
      clock.advance({ seconds: milliseconds / 1000 });
      return Promise.resolve();
    },
    ...options,
  });
}

describe.each(RELEASES)("a console of %s", (release) => {
  let client: ConsoleClient;

  beforeAll(async () => {
    client = await consoleOf(release);
  });

  test("lists and finds containers page by page", async () => {
    const all = await collectItems(client.containers.list());
    const { total } = await client.containers.page({ limit: 1 });
    expect(all).toHaveLength(total ?? -1);
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
    const [first] = all;
    expect(await collectItems(client.containers.list({ id: first?._id }))).toEqual([first]);
    const name = first?.info?.name ?? "";
    const found = await collectItems(client.containers.list({ search: name }));
    expect(found.map(({ _id }) => _id)).toContain(first?._id);
  });

  test("scans containers in simulated time", async () => {
    const { startedAt, containers } = await client.containers.scan();
    expect(containers.length).toBeGreaterThan(0);
    for (const { scanTime } of containers) {
      expect(new Date(String(scanTime)).getTime()).toBeGreaterThan(startedAt.getTime());
    }
  });

  test("lists images, with layer times from 20.12 on", async () => {
    const images = await collectItems(client.images.list());
    const hasTimes = images.some((image) => layerTimes(image).length > 0);
    expect(hasTimes).toBe(hasChange(release, "layerTimes"));
  });

  test("reports which serverless functions are defended", async () => {
    const defended = await collectItems(client.serverless.list({ defended: true }));
    const others = await collectItems(client.serverless.list({ defended: false }));
    const all = await client.serverless.names();
    expect(defended.every((one) => one.defended === true)).toBe(true);
    expect(others.every((one) => one.defended === false)).toBe(true);
    expect(defended.length + others.length).toBe(all.length);
    const rows = await collectItems(client.serverless.records());
    expect(rows).toHaveLength(all.length);
    expect(rows.filter((row) => row.defended === "true")).toHaveLength(defended.length);
  });

  test("discovers cloud services", async () => {
    const found = await client.cloudDiscovery.list();
    expect(found.some(({ defended }) => typeof defended === "number")).toBe(true);
    expect(await collectItems(client.cloudDiscovery.records())).not.toHaveLength(0);
  });

  test("answers statuses, rules, labels and statistics", async () => {
    expect(await client.autoDeploy.serverless()).toEqual([]);
    const [host] = await client.autoDeploy.host();
    expect(host).toHaveProperty("defended");
    expect(Array.isArray(await client.getCustomRules())).toBe(true);
    expect((await client.containers.labels()).length).toBeGreaterThan(0);
    const stats = await client.complianceStats.get();
    expect(stats.kind).toBe(hasChange(release, "ratedStatistics") ? "announced" : "current");
  });

  test("serves defender artifacts byte for byte", async () => {
    const directory = await mkdtemp(join(tmpdir(), "artefact-"));
    try {
      for (const kind of ["linux_script", "windows_script", "helm_chart", "daemonset"] as const) {
        const request = { consoleAddr: "c.example" };
        const bytes = Buffer.concat(
          await collectItems(client.defenders.download(kind, { request })),
        );
        const path = join(directory, kind);
        const saved = await saveFile(client.defenders.download(kind, { request }), path);
        expect(saved).toEqual({
          size: bytes.length,
          sha256: createHash("sha256").update(bytes).digest("hex"),
        });
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

test.each<[Release, Release]>([
  ["20.04", "20.04"],
  ["20.09", "20.12"],
  ["20.12", "20.12"],
  ["next", "next"],
])("auto detects a console of %s as %s", async (release, found) => {
  const client = await consoleOf(release, { release: "auto" });
  expect(await client.detectRelease()).toBe(found);
});

test("next serves the compliance checks as CSV", async () => {
  const client = await consoleOf("next");
  expect(await collectItems(client.complianceStats.records())).not.toHaveLength(0);
});
