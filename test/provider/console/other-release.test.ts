import { collectItems } from "../../../src/api/areas/list";
import { consoleEnvironment } from "../../../src/cli/simulate/console-environment";
import { diagnose } from "../../../src/provider/console/diagnose";
import type { Release } from "../../../src/api/release";
import { parseFault, startSimulator, transportTo } from "../../../src/simulator";
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

const MISSING: readonly [
  Release,
  Release,
  "getCustomRules" | "autoDeploy" | "downloadDaemonSet",
][] = [
  ["next", "20.12", "getCustomRules"],
  ["20.12", "next", "getCustomRules"],
  ["20.04", "20.12", "autoDeploy"],
  ["20.12", "20.04", "autoDeploy"],
  ["20.04", "20.12", "downloadDaemonSet"],
];

test.each(MISSING)(
  "a console of release %s that lacks an endpoint of %s shows it: %s",
  async (release, configured, name) => {
    const { client } = await consoleOf(release, configured);
    const request =
      name === "autoDeploy" ? client.read("serverlessAutoDeploy") : client.request(name);
    await expect(request).rejects.toMatchObject({
      status: name === "downloadDaemonSet" ? 405 : 404,
    });
    // Nothing shows yet that there is a console at the address.
    expect(client.otherRelease).toBeUndefined();
    await client.getRuntimePolicies();
    expect(client.otherRelease?.release).toBe(release);
    expect(client.otherRelease?.because).toMatch(/^it answers 40[45] to (?:GET|POST) \/api\/v1\//);
  },
);

test("endpoints that the detection of the release misses show no other one", async () => {
  const { console } = await ready({ release: "20.12" });
  const { client } = connectTo(transportTo(console), undefined, { release: "auto" });
  expect(await client.resolveRelease()).toBe("20.12");
  await client.getCustomRules();
  expect(client.otherRelease).toBeUndefined();
});

test("an endpoint that all releases have shows none where it is missing", async () => {
  const { client, console } = await consoleOf("20.12", "20.12");
  console.faults.add(parseFault("getCompliancePolicies:status=404"));
  await expect(client.read("policies")).rejects.toMatchObject({ status: 404 });
  await client.getRuntimePolicies();
  expect(client.otherRelease).toBeUndefined();
});

test("a plan refuses a write after a missing endpoint has shown the release", async () => {
  const { connection, client } = await consoleOf("next", "20.12");
  await expect(client.getCustomRules()).rejects.toMatchObject({ status: 404 });
  const engine = new Engine(connection, "cwp_serverless_scan");
  const problems = await engine.apply({ scopes: [{ credential_id: "a", provider: "aws" }] });
  expect(summaries(problems)).toEqual(["Console runs another release"]);
  expect(problems[0]?.detail).toContain("404 to GET /api/v1/policies/runtime/custom-rules");
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
