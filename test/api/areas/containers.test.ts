import { collect } from "../../../src/api/areas/list";
import type { Deprecation } from "../../../src/api/deprecation";
import { SchemaMismatchError } from "../../../src/api/errors";
import type { Container } from "../../../src/api/areas/container-record";
import { scripted } from "../support/scripted-console";

/** A console with so many containers, which caps pages at 50 and tells their number. */
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

test("all containers come, page by page", async () => {
  const { client, calls } = fleet(120);
  const ids = (await collect(client.containers.list())).map(({ _id }) => _id);
  expect(new Set(ids).size).toBe(120);
  expect(calls()).toEqual([
    "GET /api/v1/containers?offset=0&limit=50",
    "GET /api/v1/containers?offset=50&limit=50",
    "GET /api/v1/containers?offset=100&limit=50",
  ]);
});

test("a search sends offset and limit along", async () => {
  const { client, calls } = fleet(3);
  await collect(client.containers.list({ search: "web & db" }));
  expect(calls()).toEqual(["GET /api/v1/containers?search=web+%26+db&offset=0&limit=50"]);
});

test("an ID may end in an asterisk", async () => {
  const { client, calls } = fleet(3);
  await collect(client.containers.list({ id: "sha256*" }));
  expect(calls()).toEqual(["GET /api/v1/containers?id=sha256*&offset=0&limit=50"]);
});

test("a caller's own limit gives exactly that page", async () => {
  const { client, calls } = fleet(120);
  const ids = (await collect(client.containers.list({ offset: 60, limit: 20 }))).map(
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

test("an offset without a limit gives all from there on", async () => {
  const { client } = fleet(120);
  expect(await collect(client.containers.list({ offset: 110 }))).toHaveLength(10);
});

test.each(["scan_time", "scanTime"])("%s is when the last scan ended", async (member) => {
  const record = { _id: "a", [member]: "2021-01-01T00:00:00Z", info: { name: "web", x: 1 }, y: 2 };
  const { client } = scripted(() => ({ body: [record] }));
  expect(await collect<Container>(client.containers.list())).toEqual([
    { _id: "a", scanTime: "2021-01-01T00:00:00Z", info: { name: "web", x: 1 }, y: 2 },
  ]);
});

test("null is an empty list, and anything but a list is an error", async () => {
  const none = scripted(() => ({ body: "null" }));
  expect(await collect(none.client.containers.list())).toEqual([]);
  const odd = scripted(() => ({ body: { err: "later" } }));
  await expect(collect(odd.client.containers.list())).rejects.toThrow(SchemaMismatchError);
});

test("a scan's start is the console's time", async () => {
  const { client, calls } = scripted(() => ({ body: '"2021-01-01T00:00:00Z"' }));
  expect(await client.containers.startScan()).toEqual(new Date("2021-01-01T00:00:00Z"));
  expect(calls()).toEqual(["GET /api/v1/containers/scan"]);
});

test.each([502, 503, 504])("a scan is not started again after %d", async (status) => {
  const { client, calls } = scripted(() => ({ status }), { maxRetries: 4 });
  await expect(client.containers.startScan()).rejects.toMatchObject({ status });
  expect(calls()).toHaveLength(1);
});

test("labels are deprecated from 20.09 on", async () => {
  for (const release of ["20.04", "20.09"] as const) {
    const told: Deprecation[] = [];
    const { client } = scripted(() => ({ body: '["a:b"]' }), {
      release,
      onDeprecated: (deprecation) => told.push(deprecation),
    });
    expect(await client.containers.labels()).toEqual(["a:b"]);
    expect(told).toHaveLength(release === "20.04" ? 0 : 1);
  }
});
