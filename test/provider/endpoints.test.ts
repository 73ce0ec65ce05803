import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constraintsOf } from "../../scripts/generate/constructs/constraints";
import { PROVIDER_ENDPOINTS, unexplained } from "../../scripts/generate/coverage/uses";
import type { EndpointName } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
import { releasesWith } from "../../src/provider/release-changes";
import { dataSources } from "../../src/provider/data-sources";
import { hasErrors } from "../../src/core/diagnostics";
import type { ListedResource } from "../../src/provider/listing";
import { resources } from "../../src/provider/resources";
import type { ObjectValue } from "../../src/core/values";
import type { Console } from "../../src/simulator";
import { ManualClock, transportTo } from "../../src/simulator";
import { ADMIN, connectTo, fresh } from "./support/consoles";
import { complete, Engine, provider } from "./support/engine";

/*
 * Compares the endpoints that definitions declare with those that their operations call. The
 * deprecations in plans and the page of API coverage depend on them.
 */

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-endpoints-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The sample, then the valid ones of its variations by each attribute with enumerated values. */
function configurationsOf({ type, attributes, sample }: ListedResource): readonly ObjectValue[] {
  // The paths of other kinds are no endpoints of the table.
  const others = Object.entries(attributes).filter(
    ([name]) => name !== "kind" || !("path" in attributes),
  );
  const variations = others.flatMap(([name, { type }]) =>
    (constraintsOf(type).values ?? []).map((value) => ({ ...sample, [name]: value })),
  );
  const isValid = (config: ObjectValue) =>
    !hasErrors(provider.validateResource(type, complete(attributes, config), undefined));
  return [sample, ...variations.filter(isValid)];
}

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

/** The endpoints that were called. Every authorization requests a token. */
function asked(console: Console, declared: readonly EndpointName[] = []): readonly EndpointName[] {
  const names = console.requests.flatMap(({ endpoint }) => endpoint ?? []);
  return [...new Set(names)].filter(
    (name) => name !== "authenticate" || declared.includes("authenticate"),
  );
}

describe.each(resources.map((resource) => [resource.type, resource] as const))(
  "%s",
  (type, resource) => {
    test("calls exactly the endpoints of its definition", async () => {
      const { endpoints = [], noteEndpoints = [], importId } = resource;
      const declared = [...endpoints, ...noteEndpoints];
      const called = new Set<EndpointName>();
      for (const release of releasesWith(resource)) {
        const { console, connection } = await open(release, type);
        const engine = new Engine({ ...connection, directory: folder }, type);
        for (const config of configurationsOf(resource)) await engine.applied(config);
        if (importId !== undefined) {
          await new Engine(connection, type).import(importId);
        }
        await engine.applied(null);
        for (const name of asked(console, declared)) called.add(name);
      }
      expect([...called].sort()).toEqual([...declared].sort());
    });
  },
);

describe.each(dataSources.map((source) => [source.type, source] as const))(
  "data source %s",
  (type, source) => {
    const { endpoints: declared = [], sample = {} } = source;
    test.each(releasesWith(source))(
      "calls exactly the endpoints of its definition in release %s",
      async (release) => {
        const { console, connection } = await open(release, type);
        const config = complete(provider.dataSourceAttributes(type) ?? {}, sample);
        const signal = new AbortController().signal;
        const { diagnostics } = await provider.readDataSource(type, config, { connection, signal });
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect([...asked(console)].sort()).toEqual([...declared].sort());
      },
    );
  },
);

test("lists the endpoints that every resource calls", async () => {
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

test("has a user of every endpoint, or a reason for none", () => {
  expect(unexplained()).toEqual([]);
});
