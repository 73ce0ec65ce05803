import { collectItems } from "../../../src/api/areas/list";
import { consoleEnvironment } from "../../../src/cli/simulate/console-environment";
import { diagnose } from "../../../src/provider/console/diagnose";
import type { Release } from "../../../src/api/release";
import { startSimulator, transportTo } from "../../../src/simulator";
import { connectTo, ready } from "../support/consoles";
import { complete, Engine, provider, summaries } from "../support/engine";

/*
 * A console does not say which release it runs, but some of its answers show that it is not the
 * configured one.
 */

/** A console of one release, and a connection for another. */
async function consoleOf(release: Release, configured: Release, assumesRelease = false) {
  const { console } = await ready({ release });
  const connection = { ...connectTo(transportTo(console), configured), assumesRelease };
  return { console, connection, client: connection.client };
}

const OTHERS: readonly [Release, Release, string][] = [
  ["next", "20.12", "defended"],
  ["20.12", "next", "protected"],
];

test.each(OTHERS)(
  "a filter that a console of release %s ignores is an error for %s",
  async (release, configured, term) => {
    const { client } = await consoleOf(release, configured);
    const text = `answers "${term}"`;
    await expect(collectItems(client.serverless.list({ defended: true }))).rejects.toThrow(text);
    await expect(collectItems(client.serverless.download({ defended: true }))).rejects.toThrow(
      text,
    );
  },
);

test.each(OTHERS)("a list without a filter of release %s is read for %s", async (...releases) => {
  const [release, configured] = releases;
  const { client } = await consoleOf(release, configured);
  const rows = await collectItems(client.serverless.list());
  expect(rows.length).toBeGreaterThan(0);
  expect((await collectItems(client.serverless.download())).length).toBeGreaterThan(0);
  expect(client.otherRelease?.release).toBe(release);
});

test.each(["20.04", "20.09", "20.12", "next"] as const)(
  "the answers of release %s show no other one",
  async (release) => {
    const { client } = await consoleOf(release, release);
    await collectItems(client.serverless.list({ defended: true }));
    await collectItems(client.serverless.download({ defended: true }));
    expect(client.otherRelease).toBeUndefined();
  },
);

test.each([
  ["is assumed", true, 1],
  ["is set", false, 0],
])("a data source warns once of another release if the release %s", async (_, assumes, count) => {
  const { connection } = await consoleOf("next", "20.12", assumes);
  const attributes = provider.dataSourceAttributes("cwp_serverless_functions") ?? {};
  const read = () =>
    provider.readDataSource("cwp_serverless_functions", complete(attributes, {}), {
      connection,
      signal: new AbortController().signal,
    });
  const found = [await read(), await read()].flatMap(({ diagnostics }) => diagnostics);
  expect(summaries(found)).toEqual(Array(count).fill("Console runs another release"));
});

test("a plan refuses a write that the console takes in another way", async () => {
  const scopes = [{ credential_ids: ["a"], provider: "aws" }];
  const { connection, console } = await consoleOf("next", "next");
  await new Engine(connection, "cwp_serverless_scan").applied({ scopes });
  const old = connectTo(transportTo(console), "20.12");
  const engine = new Engine(old, "cwp_serverless_scan");
  const problems = await engine.apply({ scopes: [{ credential_id: "a", provider: "aws" }] });
  expect(summaries(problems)).toEqual(["Console runs another release"]);
  expect(JSON.stringify(problems)).toContain('"credentialIDs\\"');
});

test("a refused request that differs between releases names the release", async () => {
  const { client } = await consoleOf("next", "20.12");
  const failure: unknown = await client
    .replace("serverlessScan", { envelope: null, items: [] })
    .catch((cause: unknown) => cause);
  expect(JSON.stringify(diagnose(failure))).toContain("CONSOLE_RELEASE");
});

test("an embedded console hands its release to its command", async () => {
  const simulator = await startSimulator({ release: "next" });
  try {
    expect(consoleEnvironment(simulator, {}).CONSOLE_RELEASE).toBe("next");
  } finally {
    await simulator.close();
  }
});
