import { collectItems } from "../../../src/api/areas/list";
import type { Deprecation } from "../../../src/api/endpoints";
import { SchemaMismatchError } from "../../../src/api/errors";
import type { Container } from "../../../src/api/areas/containers";
import { scripted } from "../support/scripted-console";

/** A console with the given number of containers, pages of at most 50 and a total. */
function fleet(count: number) {
  return scripted(({ path }) => {
    const query = new URL(path, "https://h").searchParams;
    const offset = Number(query.get("offset"));
    const limit = Math.min(50, Number(query.get("limit")));
    const all = Array.from({ length: count }, (_, index) => ({ _id: `c${index}` }));
    return {
      headers: { "total-count": String(count) },
      body: all.slice(offset, offset + limit),
    };
  });
}

test("lists all containers page by page", async () => {
  const { client, calls } = fleet(120);
  const ids = (await collectItems(client.containers.list())).map(({ _id }) => _id);
  expect(new Set(ids).size).toBe(120);
  expect(calls()).toEqual([
    "GET /api/v1/containers?offset=0&limit=50",
    "GET /api/v1/containers?offset=49&limit=50",
    "GET /api/v1/containers?offset=98&limit=50",
  ]);
});

test("sends offset and limit with a search", async () => {
  const { client, calls } = fleet(3);
  await collectItems(client.containers.list({ search: "web & db" }));
  expect(calls()).toEqual(["GET /api/v1/containers?search=web+%26+db&offset=0&limit=50"]);
});

test("sends an ID that ends in an asterisk", async () => {
  const { client, calls } = fleet(3);
  await collectItems(client.containers.list({ id: "sha256*" }));
  expect(calls()).toEqual(["GET /api/v1/containers?id=sha256*&offset=0&limit=50"]);
});

test("returns exactly one page for a limit", async () => {
  const { client, calls } = fleet(120);
  const ids = (await collectItems(client.containers.list({ offset: 60, limit: 20 }))).map(
    ({ _id }) => _id,
  );
  expect(ids).toHaveLength(20);
  expect(ids[0]).toBe("c60");
  expect(await client.containers.page({ limit: 10 })).toMatchObject({ total: 120 });
  expect(calls()).toEqual([
    "GET /api/v1/containers?offset=60&limit=20",
    "GET /api/v1/containers?offset=0&limit=10",
  ]);
});

test("lists all containers from an offset without a limit", async () => {
  const { client } = fleet(120);
  expect(await collectItems(client.containers.list({ offset: 110 }))).toHaveLength(10);
});

test.each(["scan_time", "scanTime"])("reads %s as the end of the last scan", async (member) => {
  const record = { _id: "a", [member]: "2021-01-01T00:00:00Z", info: { name: "web", x: 1 }, y: 2 };
  const { client } = scripted(() => ({ body: [record] }));
  expect(await collectItems<Container>(client.containers.list())).toEqual([
    { _id: "a", scanTime: "2021-01-01T00:00:00Z", info: { name: "web", x: 1 }, y: 2 },
  ]);
});

test("reads null as an empty list and refuses everything else", async () => {
  const none = scripted(() => ({ body: "null" }));
  expect(await collectItems(none.client.containers.list())).toEqual([]);
  const odd = scripted(() => ({ body: { err: "later" } }));
  await expect(collectItems(odd.client.containers.list())).rejects.toThrow(SchemaMismatchError);
});

test("returns the console's time as the start of a scan", async () => {
  const { client, calls } = scripted(() => ({ body: '"2021-01-01T00:00:00Z"' }));
  expect(await client.containers.startScan()).toEqual(new Date("2021-01-01T00:00:00Z"));
  expect(calls()).toEqual(["GET /api/v1/containers/scan"]);
});

test.each([502, 503, 504])("does not start a second scan after %d", async (status) => {
  const { client, calls } = scripted(() => ({ status }), { maxRetries: 4 });
  await expect(client.containers.startScan()).rejects.toMatchObject({ status });
  expect(calls()).toHaveLength(1);
});

test("warns of labels from 20.09 on", async () => {
  for (const release of ["20.04", "20.09"] as const) {
    const reported: Deprecation[] = [];
    const { client } = scripted(() => ({ body: '["a:b"]' }), {
      release,
      onDeprecated: (deprecation) => reported.push(deprecation),
    });
    expect(await client.containers.labels()).toEqual(["a:b"]);
    expect(reported).toHaveLength(release === "20.04" ? 0 : 1);
  }
});
