import { z } from "zod";
import type { CollectionRow } from "../../src/api/collections";
import { DEFAULT_RELEASE, type Release, RELEASES } from "../../src/api/release";
import { ENDPOINT_NAMES, endpointFor, routesOf } from "../../src/api/endpoints";
import { EndpointNotInReleaseError } from "../../src/api/errors";
import { parseJson, stringifyJson } from "../../src/core/json/lossless-json";
import { scripted } from "./support/scripted-console";

const params = { id: "a/b c", product: "svc" };

test.each(RELEASES)("calls every endpoint of %s", async (release) => {
  const { client, calls } = scripted(() => ({}), { release });
  for (const { name } of routesOf(release)) await client.request(name, { params });
  expect(calls()).toEqual(
    routesOf(release).map(
      ({ method, path }) =>
        `${method} ${path.replace("{id}", "a%2Fb%20c").replace("{product}", "svc")}`,
    ),
  );
});

test("refuses an endpoint that the release lacks before anything is sent", async () => {
  const { client, calls } = scripted(() => ({}));
  const missing = ENDPOINT_NAMES.filter((name) => !endpointFor(name, DEFAULT_RELEASE));
  expect(missing).not.toEqual([]);
  for (const name of missing) {
    await expect(client.request(name)).rejects.toThrow(EndpointNotInReleaseError);
  }
  await expect(client.request("downloadComplianceStats")).rejects.toThrow(
    "The endpoint downloadComplianceStats does not exist in release 20.12, only in next.",
  );
  expect(calls()).toEqual([]);
});

describe("a collection that the table does not have", () => {
  const path = "/api/v1/trust/data";
  const routes = [{ method: "GET", path }] as const;
  const row: CollectionRow<Readonly<Record<string, unknown>>> = {
    what: "trusted images",
    item: z.record(z.string(), z.unknown()),
    member: "groups",
    endpoints: {
      read: { name: "read trust/data", spec: null, routes },
      replace: { name: "replace trust/data", spec: null, routes: [{ method: "PUT", path }] },
    },
  };

  test("is read and replaced by its row, in the object around it", async () => {
    const { client, calls, requests } = scripted(() => ({
      body: { _id: "x", groups: [{ a: 1 }] },
    }));
    const found = await client.readRow(row);
    expect(found.items).toEqual([{ a: 1 }]);
    await client.replaceRow(row, { ...found, items: [{ credential: { secret: "kept" } }] });
    expect(calls()).toEqual([`GET ${path}`, `PUT ${path}`]);
    expect(requests[1]?.body).toBe('{"_id":"x","groups":[{"credential":{"secret":"kept"}}]}');
  });

  test("is named in errors", async () => {
    const { client } = scripted(() => ({ status: 403 }));
    await expect(client.readRow(row)).rejects.toMatchObject({ endpoint: "read trust/data" });
  });
});

test("throws for a missing path parameter", async () => {
  const { client } = scripted(() => ({}));
  await expect(client.request("getHostProfileRule")).rejects.toThrow(TypeError);
});

test("joins prefix, path and query", async () => {
  const { client, calls } = scripted(() => ({ body: [] }), { baseUrl: "https://h/tenant-7/" });
  await client.request("getContainers", {
    query: { id: "a*", offset: 0, limit: 50, search: undefined },
  });
  expect(calls()).toEqual(["GET /tenant-7/api/v1/containers?id=a*&offset=0&limit=50"]);
});

test("sends a content type with a body only", async () => {
  const { client, requests } = scripted(() => ({ body: [] }));
  await client.installLicense("canary-key");
  await client.getPolicies();
  expect(requests[0]).toMatchObject({
    method: "POST",
    path: "/api/v1/settings/license",
    headers: { "content-type": "application/json" },
    body: '{"key":"canary-key"}',
  });
  expect(requests[1]?.headers).not.toHaveProperty("content-type");
  expect(requests[1]).not.toHaveProperty("body");
});

test.each([200, 201, 204])(
  "accepts a write by status %d, regardless of the body",
  async (status) => {
    const { client } = scripted(() => ({ status, body: "<html>" }));
    await client.installLicense("k");
    await client.signUp({ username: "a", password: "p" });
    await client.replace("policies", { envelope: null, items: [] });
  },
);

test("reads policies in order and writes them back as found", async () => {
  const found = '{"rules":[{"name":"b","graceDays":1.0,"x":null},{"name":"a"}],"_id":"p"}';
  const { client, requests } = scripted(({ method }) => (method === "GET" ? { body: found } : {}));
  const policies = await client.read("policies");
  expect(policies.items.map(({ name }) => name)).toEqual(["b", "a"]);
  await client.replace("policies", policies);
  expect(requests[1]).toMatchObject({
    method: "PUT",
    path: "/api/v1/policies/compliance/container",
    body: found,
  });
});

test.each<[Release, string, string]>([
  ["20.04", "POST /api/v1/settings/serverless-scan", "serverless-auto-protect"],
  ["20.12", "POST /api/v1/settings/serverless-scan", "serverless-auto-deploy"],
  ["next", "PUT /api/v1/settings/serverless-scan", "serverless-auto-deploy"],
])("reads and writes settings in %s", async (release, replaceScan, autoDeploy) => {
  const { client, calls, requests } = scripted(
    ({ method }) => (method === "GET" ? { body: '[{"name":"n","cap":2.50}]' } : {}),
    { release },
  );
  await client.replace("registry", await client.read("registry"));
  await client.replace("serverlessScan", await client.read("serverlessScan"));
  await client.replace("serverlessAutoDeploy", await client.read("serverlessAutoDeploy"));
  expect(calls()).toEqual([
    "GET /api/v1/settings/registry",
    "PUT /api/v1/settings/registry",
    "GET /api/v1/settings/serverless-scan",
    replaceScan,
    `GET /api/v1/settings/${autoDeploy}`,
    `POST /api/v1/settings/${autoDeploy}`,
  ]);
  for (const { body, method } of requests) {
    if (method !== "GET") expect(body).toBe('[{"name":"n","cap":2.50}]');
  }
});

test("returns JSON of connectivity tests with numbers as spelled", async () => {
  const free = '{"rules":[{"rate":1.0}]}';
  const { client } = scripted(() => ({ body: free }));
  expect(stringifyJson(await client.getRuntimePolicies())).toBe(free);
  expect(await client.getPolicies()).toEqual(parseJson(free));
});

test("returns other answers unchanged", async () => {
  const { client } = scripted(() => ({ headers: { "total-count": "3" }, body: "a,b\n1,2\n" }));
  const response = await client.request("downloadCloudDiscovery");
  expect(response.text()).toBe("a,b\n1,2\n");
  expect(response.header("total-count")).toBe("3");
});

describe("ping", () => {
  test.each([200, 302, 401, 404, 429])("accepts %d as a serving console", async (status) => {
    const { client, calls } = scripted(() => ({ status }));
    await client.ping();
    expect(calls()).toEqual(["GET /api/v1/_ping"]);
  });

  test.each([500, 502, 503])("rejects %d at once", async (status) => {
    const { client, calls } = scripted(() => ({ status }));
    await expect(client.ping()).rejects.toMatchObject({ code: "CONSOLE_API", status });
    expect(calls()).toHaveLength(1);
  });

  test("does not retry when nothing listens", async () => {
    const { client, calls } = scripted(() =>
      Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
    );
    await expect(client.ping()).rejects.toMatchObject({ code: "CONSOLE_UNREACHABLE" });
    expect(calls()).toHaveLength(1);
  });
});
