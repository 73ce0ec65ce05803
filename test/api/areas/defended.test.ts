import { collectItems } from "../../../src/api/areas/list";
import { ENDPOINT_NAMES, ENDPOINTS } from "../../../src/api/endpoints";
import type { Endpoint } from "../../../src/api/endpoint";
import { scripted, type Answer } from "../support/scripted-console";
import type { Release } from "../../../src/api/release";

const spoken: [Release, string][] = [
  ["20.04", "protected"],
  ["20.09", "protected"],
  ["20.12", "protected"],
  ["next", "defended"],
];

describe.each(spoken)("in %s, which says %s", (release, term) => {
  const answering = (body: Answer["body"]) => scripted(() => ({ body: body ?? "" }), { release });

  test("GET serverless/download: query and CSV header", async () => {
    const { client, calls } = answering(`name,${term}\na,true\n`);
    expect(await collectItems(client.serverless.records({ defended: true }))).toEqual([
      { name: "a", defended: "true" },
    ]);
    expect(calls()).toEqual([`GET /api/v1/serverless/download?${term}=true`]);
  });

  test("GET serverless/names: query", async () => {
    const { client, calls } = answering(["a", "b"]);
    expect(await client.serverless.names({ defended: false })).toEqual(["a", "b"]);
    expect(calls()[0]).toBe(`GET /api/v1/serverless/names?offset=0&limit=50&${term}=false`);
  });

  test("GET serverless: query and response key", async () => {
    const { client, calls } = answering([{ name: "a", [term]: true, x: { [term]: 1 } }]);
    expect(await collectItems(client.serverless.list({ defended: true }))).toEqual([
      { name: "a", defended: true, x: { [term]: 1 } },
    ]);
    expect(calls()[0]).toBe(`GET /api/v1/serverless?offset=0&limit=50&${term}=true`);
  });

  test("GET cloud/discovery/download: CSV header", async () => {
    const { client } = answering(`provider,${term}\naws,3\n`);
    expect(await collectItems(client.cloudDiscovery.records())).toEqual([
      { provider: "aws", defended: "3" },
    ]);
  });

  test("GET cloud/discovery: response key", async () => {
    const { client } = answering([{ provider: "aws", [term]: 3 }, { err: "denied" }]);
    expect(await client.cloudDiscovery.list()).toEqual([
      { provider: "aws", defended: 3 },
      { err: "denied" },
    ]);
  });

  test("GET statuses/serverless-auto-deploy: serverlessAutoDeploy.specs", async () => {
    const { client } = answering({ serverlessAutoDeploy: { specs: [{ name: "a", [term]: 3 }] } });
    expect(await client.autoDeploy.serverless()).toEqual([{ name: "a", defended: 3 }]);
  });

  test("GET statuses/host-auto-deploy: hostAutoDeploy.status", async () => {
    const { client } = answering({ hostAutoDeploy: { status: { [term]: 3 } } });
    expect(await client.autoDeploy.host()).toEqual([{ defended: 3 }]);
  });

  test("leaves raw downloads unchanged", async () => {
    const { client } = answering(`name,${term}\na,true\n`);
    const parts = await collectItems(client.serverless.download());
    expect(Buffer.concat(parts).toString()).toBe(`name,${term}\na,true\n`);
  });
});

test("leaves `protected` of a container unchanged", async () => {
  const { client } = scripted(() => ({ body: [{ _id: "a", protected: true }] }));
  expect(await collectItems(client.containers.list())).toEqual([{ _id: "a", protected: true }]);
});

test("sends no term without a filter", async () => {
  const { client, calls } = scripted(() => ({ body: "null" }));
  expect(await client.serverless.names()).toEqual([]);
  expect(calls()).toEqual(["GET /api/v1/serverless/names?offset=0&limit=50"]);
});

test("lists exactly the places of 9.3.6 in the table", () => {
  const places = ENDPOINT_NAMES.flatMap((name) => {
    const { defended }: Endpoint = ENDPOINTS[name];
    return defended ? [[name, defended]] : [];
  });
  expect(Object.fromEntries(places)).toEqual({
    downloadServerlessFunctions: ["query", "column"],
    getServerlessFunctionNames: ["query"],
    getServerlessFunctions: ["query", "member"],
    downloadCloudDiscovery: ["column"],
    getCloudDiscovery: ["member"],
    getServerlessAutoDeployStatus: ["member"],
    getHostAutoDeployStatus: ["member"],
  });
});

test.each([
  [null, []],
  [{}, []],
  [{ serverlessAutoDeploy: null }, []],
  [{ serverlessAutoDeploy: { specs: null } }, []],
  [{ serverlessAutoDeploy: { specs: { protected: 1 } } }, [{ defended: 1 }]],
  [
    { serverlessAutoDeploy: { specs: [{ protected: 1, defended: 2 }] } },
    [{ protected: 1, defended: 2 }],
  ],
])("reads the status %j", async (body, expected) => {
  const { client } = scripted(() => ({ body: JSON.stringify(body) }));
  expect(await client.autoDeploy.serverless()).toEqual(expected);
});
