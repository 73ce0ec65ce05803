import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROVIDER_ENDPOINTS, unexplained } from "../../scripts/generate/coverage/uses";
import type { EndpointName } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
import { consoleProvider } from "../../src/provider/cwp-provider";
import type { ObjectValue } from "../../src/provider/values";
import type { Console } from "../../src/simulator";
import { ManualClock, transportTo } from "../../src/simulator";
import { ADMIN, connectTo, fresh } from "./support/consoles";
import { complete, Engine, provider } from "./support/engine";

/*
 * What definitions say that they call is what they call: recorded while everything that can be done
 * with them is done. From it follow the deprecations in plans and the page of API coverage.
 */

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-endpoints-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const policy = (name: string) => ({ name, checks: { 41: true } });
const artifact = (kind: string, product: string) => ({
  kind,
  product,
  filename: join(folder, kind),
});

/** Of each type: pairs of a configuration and what it is changed to. */
const RESOURCES: Readonly<Record<string, readonly (readonly [ObjectValue, ObjectValue])[]>> = {
  cwp_bootstrap: [[{}, { wait_timeout: 5 }]],
  cwp_license: [[{ key: "one" }, { key: "two" }]],
  cwp_compliance_policy_set: [[{ policies: [policy("a")] }, { policies: [policy("b")] }]],
  cwp_registry_scan: [
    [
      { specifications: [{ registry: "r", repository: "*", tag: "" }] },
      { specifications: [{ registry: "r", repository: "*", tag: "", cap: 5 }] },
    ],
  ],
  cwp_serverless_scan: [
    [{ scopes: [{ credential_id: "c" }] }, { scopes: [{ credential_id: "d" }] }],
  ],
  cwp_serverless_auto_deploy: [
    [
      { specs: [{ name: "one", credential_id: "c" }] },
      { specs: [{ name: "one", credential_id: "d" }] },
    ],
  ],
  cwp_container_scan: [[{}, { triggers: { again: "1" } }]],
  cwp_defender_artifact: ["linux_script", "windows_script", "helm_chart", "daemonset"].map(
    (kind) => [artifact(kind, "svc"), artifact(kind, "other")],
  ),
};

/** A console of the release whose time passes while the client waits. */
async function open(release: Release, type: string) {
  const clock = new ManualClock();
  const simulated = fresh(
    { release, clock },
    {
      now: () => clock.now().getTime(),
      sleep: (milliseconds) => {
        clock.advance({ seconds: milliseconds / 1000 });
        return Promise.resolve();
      },
    },
  );
  const { console } = simulated;
  if (type !== "cwp_bootstrap") {
    await console.addUser(ADMIN.username, ADMIN.password);
    await console.installLicense();
  }
  return simulated;
}

/** What the console was asked for; every authorization asks for a token. */
function asked(console: Console, declared: readonly EndpointName[] = []): readonly EndpointName[] {
  const names = console.requests.flatMap(({ endpoint }) => endpoint ?? []);
  return [...new Set(names)].filter(
    (name) => name !== "authenticate" || declared.includes("authenticate"),
  );
}

describe.each(consoleProvider.resources.map(({ type, endpoints }) => [type, endpoints] as const))(
  "%s",
  (type, declared = []) => {
    test("calls the endpoints that its definition names, and no other", async () => {
      const called = new Set<EndpointName>();
      for (const release of RELEASES) {
        for (const [first, second] of RESOURCES[type] ?? []) {
          const { console, connection } = await open(release, type);
          const engine = new Engine(connection, type);
          await engine.applied(first);
          await engine.applied(second);
          const { importId } = consoleProvider.resources.find((one) => one.type === type) ?? {};
          if (importId !== undefined) {
            await new Engine(connection, type).import(importId);
          }
          await engine.applied(null);
          for (const name of asked(console, declared)) called.add(name);
        }
      }
      expect([...called].sort()).toEqual([...declared].sort());
    });
  },
);

describe.each(consoleProvider.dataSources.map(({ type, endpoints }) => [type, endpoints] as const))(
  "data source %s",
  (type, declared = []) => {
    test.each(RELEASES)("calls what its definition names in release %s", async (release) => {
      const { console, connection } = await open(release, type);
      const config = complete(provider.dataSourceAttributes(type) ?? {}, {});
      const signal = new AbortController().signal;
      const { diagnostics } = await provider.readDataSource(type, config, { connection, signal });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      expect([...asked(console)].sort()).toEqual([...declared].sort());
    });
  },
);

test("what the provider calls whatever the resource", async () => {
  const recorded = async (options: Parameters<typeof connectTo>[2]) => {
    const called = new Set<EndpointName>();
    for (const release of RELEASES) {
      const { console } = await open(release, "");
      const certificate = { subjectCN: ADMIN.username, authorized: true };
      const transport = transportTo(console, certificate);
      const { client } = connectTo(transport, release, options);
      await client.detectRelease();
      await client.getPolicies();
      for (const { endpoint } of console.requests) if (endpoint) called.add(endpoint);
    }
    called.delete("getPolicies");
    return [...called];
  };
  const basic = { method: "basic", ...ADMIN } as const;
  const certificate = { method: "client-certificate", cert: "PEM", key: "PEM" } as const;
  expect({
    'provider (`auth = "token"`)': await recorded({}),
    'provider (`auth = "client_certificate"`)': await recorded({ credentials: certificate }),
    'provider (`release = "auto"`)': await recorded({ release: "auto", credentials: basic }),
  }).toEqual(PROVIDER_ENDPOINTS);
});

test("every endpoint has a user, or a reason for none", () => {
  expect(unexplained()).toEqual([]);
});
