import { runningContainers } from "../../../src/provider/console/running-containers";
import { resources } from "../../../src/provider/resources";
import type { ObjectValue } from "../../../src/core/values";
import type { Content, LoggedRequest } from "../../second-console";
import { Engine, errorsOf, provider, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

afterEach(closeSecondConsoles);

const TYPE = "cwp_object";
const PATH = "cloud-scan-rules";
const accounts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ credentialId: `acc-${index}`, note: "theirs" }));
const content = (count = 60) => ({ lists: { [PATH]: accounts(count) } });
const account = (credentialId: string, more: ObjectValue = {}): ObjectValue => ({
  kind: "cloud_account",
  body: { credentialId, discoveryEnabled: true, ...more },
});

describe.each([{ totalCount: true }, { totalCount: false }, { totalCount: false, rounds: true }])(
  "objects in pages: %j",
  (pages) => {
    const options = { content: content(), pages };

    test("finds an object on the second page, and refuses to overwrite it", async () => {
      const { served, connection } = await connectToSecond(options);
      const engine = new Engine(connection, TYPE);
      expect(summaries(await engine.apply(account("acc-59")))).toEqual(["Object already exists"]);
      expect(served.writes()).toEqual([]);
      await engine.import("cloud_account:acc-59");
      await engine.applied(account("acc-59"));
      expect(await engine.isConverged(account("acc-59"))).toBe(true);
      expect(served.content().lists[PATH]?.[59]).toMatchObject({
        note: "theirs",
        discoveryEnabled: true,
      });
      expect(served.content().lists[PATH]).toHaveLength(60);
      await engine.applied(null);
      expect(served.content().lists[PATH]).toEqual(accounts(59));
    });

    test("creates an object behind the first page, and finds it again", async () => {
      const { served, connection } = await connectToSecond(options);
      const engine = await new Engine(connection, TYPE).applied(account("new"));
      expect(await engine.isConverged(account("new"))).toBe(true);
      await engine.applied(null);
      expect(served.writes()).toEqual([`PUT ${PATH}`, `DELETE ${PATH}/new`]);
    });

    test("reads all rows by cwp_get, and with a limit or an offset exactly that page", async () => {
      const { connection, reads } = await connectToSecond({ ...options, rows: 159 });
      const rowsOf = async (query: ObjectValue | null) => {
        const config = {
          path: "hosts",
          member: null,
          unlisted: true,
          members: ["hostname"],
          query,
        };
        const { state, diagnostics } = await provider.readDataSource("cwp_get", config, {
          connection,
          signal: new AbortController().signal,
          progress: () => undefined,
        });
        expect(diagnostics).toEqual([]);
        return (state?.result as readonly unknown[] | undefined)?.length;
      };
      expect(await rowsOf(null)).toBe(159);
      const before = reads("hosts").length;
      expect(await rowsOf({ offset: "150" })).toBe(9);
      expect(await rowsOf({ limit: "7" })).toBe(7);
      expect(reads("hosts").slice(before)).toEqual(["?offset=150", "?limit=7"]);
    });
  },
);

test("writes and reports nothing on the ground of rows that the console withholds", async () => {
  const { served, connection } = await connectToSecond({
    content: content(),
    intercept: ({ method, path }: LoggedRequest, { lists }: Content) =>
      method === "GET" && path === PATH
        ? { status: 200, json: lists[PATH]?.slice(0, 50), headers: { "Total-Count": "60" } }
        : undefined,
  });
  const engine = new Engine(connection, TYPE);
  const [failure] = errorsOf(await engine.apply(account("new")));
  expect(failure).toMatchObject({ summary: "Incomplete list from the console" });
  expect(failure?.detail).toContain("answers 50 rows, and its Total-Count says 60");
  expect(served.writes()).toEqual([]);
});

test.each<[string, number, Record<string, string>, string]>([
  ["a link to the next page", 200, { Link: '</x?cursor=b>; rel="next"' }, "announces more"],
  ["status 206", 206, {}, "announces more"],
  ["Content-Range", 206, { "Content-Range": "items 0-49/60" }, "its Total-Count says 60"],
  ["X-Total-Count", 200, { "X-Total-Count": "60" }, "its Total-Count says 60"],
  ["Total-Count twice", 200, { "Total-Count": "60, 60" }, "its Total-Count says 60"],
])("does not take the first page for the list: %s", async (_, status, headers, why) => {
  const { served, connection } = await connectToSecond({
    content: content(),
    intercept: ({ method, path }: LoggedRequest, { lists }: Content) =>
      method === "GET" && path === PATH
        ? { status, json: lists[PATH]?.slice(0, 50), headers }
        : undefined,
  });
  const [failure] = errorsOf(await new Engine(connection, TYPE).apply(account("acc-59")));
  expect(failure?.detail).toContain(`answers 50 rows`);
  expect(failure?.detail).toContain(why);
  expect(served.writes()).toEqual([]);
});

test("does not take a page that is missing for a document that is", async () => {
  const rows = Array.from({ length: 9 }, (_, id) => ({ id }));
  let isBroken = false;
  const { served, connection } = await connectToSecond({
    intercept: ({ method, path, query }: LoggedRequest) => {
      if (method !== "GET" || path !== "settings/x") return undefined;
      const offset = Number(new URLSearchParams(query).get("offset") ?? 0);
      if (isBroken && offset > 4) return { status: 404 };
      const list = rows.slice(offset, offset + 4);
      return { status: 200, json: { mode: "on", list }, headers: { "Total-Count": "9" } };
    },
  });
  const engine = new Engine(connection, "cwp_setting");
  await engine.import('{"path": "settings/x", "unlisted": true}');
  isBroken = true;
  const [failure] = errorsOf(await engine.refresh());
  expect(failure?.summary).toBe("Incomplete list from the console");
  expect(engine.state?.id).toBe("settings/x");
  expect(served.writes()).toEqual([]);
});

test("reads typed collections, and containers for --live, with the same proof", async () => {
  const { served, connection } = await connectToSecond({
    intercept: ({ method, path }: LoggedRequest) =>
      method === "GET" && /^(?:policies|settings|containers)/.test(path)
        ? { status: 200, json: [], headers: { "Total-Count": "3" } }
        : undefined,
  });
  const typed = resources.filter(({ collection }) => collection?.kind !== undefined);
  expect(typed.length).toBeGreaterThan(3);
  for (const { type, sample } of typed) {
    const problems = errorsOf(await new Engine(connection, type).apply(sample));
    expect([type, ...summaries(problems)]).toEqual([type, "Incomplete list from the console"]);
  }
  const containers = runningContainers(connection.client, new AbortController().signal);
  await expect(containers.next()).rejects.toThrow("Total-Count says 3");
  expect(served.writes()).toEqual([]);
});

test("asks once more for objects, and not for what is replaced as a whole", async () => {
  const { connection, reads } = await connectToSecond({
    content: { lists: { groups: [{ groupName: "a" }] } },
    pages: { unpaged: 404 },
  });
  await new Engine(connection, TYPE).import("group:a");
  expect(reads("groups")).toEqual(["", "?offset=1"]);
  await new Engine(connection, "cwp_compliance_policy_set").import("container");
  expect(reads("policies/compliance/container")).toEqual([""]);
});
