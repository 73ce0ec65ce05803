import { RELEASES } from "../../../src/api/release";
import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { answering, objectsIn, read, stateOf, textIn } from "./read";

const TYPE = "cwp_containers";
const PATH = "/api/v1/containers";

const containersOf = ({ containers }: ObjectValue) => objectsIn(containers);
const names = (state: ObjectValue) => containersOf(state).map(({ name }) => name);

test("the search of the guide finds containers of an embedded console", async () => {
  const { connection } = await ready();
  const found = names(await stateOf(connection, TYPE, { search: "shop", limit: 20 }));
  expect(found).toHaveLength(20);
  for (const name of found) expect(name).toContain("shop");
});

test.each(RELEASES)("release %s: reads all pages of containers", async (release) => {
  const { console, connection } = await ready({ release });
  const state = await stateOf(connection, TYPE);
  const total = console.requests.filter(({ path }) => path === PATH).length;
  expect(containersOf(state).length).toBeGreaterThan(50);
  // Each page begins one row early.
  expect(total).toBe(Math.ceil((containersOf(state).length - 1) / 49));
  expect(containersOf(state)[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    name: expect.stringMatching(/^k8s_/) as string,
    hostname: expect.stringContaining(".example.com") as string,
    image: expect.stringContaining(":") as string,
    cluster: expect.stringMatching(/./) as string,
    namespace: expect.stringMatching(/./) as string,
    scan_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    compliance_issues: expect.any(Array) as unknown[],
  });
  const issues = containersOf(state).flatMap(({ compliance_issues: found }) => found);
  expect(issues).toContainEqual({
    id: 41,
    severity: "high",
    title: expect.stringContaining("root") as string,
  });
});

test("sends search, offset and limit together", async () => {
  const { connection, sent } = await ready();
  const all = await stateOf(connection, TYPE, { search: "nginx" });
  const some = await stateOf(connection, TYPE, { search: "nginx", offset: 2, limit: 3 });
  expect(names(some)).toEqual(names(all).slice(2, 5));
  const asked = sent.filter(({ path }) => path.startsWith(PATH)).at(-1);
  expect(asked?.path).toContain("search=nginx&offset=2&limit=3");
});

test("reads by ID or by a prefix of IDs", async () => {
  const { connection } = await ready();
  const [first] = containersOf(await stateOf(connection, TYPE, { limit: 1 }));
  const id = textIn(first?.id);
  expect(names(await stateOf(connection, TYPE, { id }))).toEqual([first?.name]);
  const prefix = await stateOf(connection, TYPE, { id: `${id.slice(0, 1)}*` });
  expect(containersOf(prefix).length).toBeGreaterThan(1);
  expect(containersOf(prefix).every((one) => textIn(one.id).startsWith(id.slice(0, 1)))).toBe(true);
});

test("applies a limit that is larger than a page", async () => {
  const { console, connection } = await ready();
  const state = await stateOf(connection, TYPE, { limit: 60 });
  expect(containersOf(state)).toHaveLength(60);
  expect(console.requests.filter(({ path }) => path === PATH)).toHaveLength(2);
});

test.each([
  [{ limit: 0 }, "limit"],
  [{ offset: -1 }, "offset"],
  [{ limit: 1.5 }, "limit"],
  [{ id: "" }, "id"],
])("refuses %j", async (config, path) => {
  const { connection } = await ready();
  const { diagnostics } = await read(connection, TYPE, config);
  expect(diagnostics.map((found) => found.path)).toEqual([[path]]);
});

test("drops other members, which may be secrets; missing ones are null", async () => {
  const connection = answering({
    [PATH]: `[{"_id":"a","info":{"env":["PASSWORD=canary"],"complianceIssues":null},"scanTime":1600000000},
      {"_id":"b","scan_time":"soon","info":{"complianceIssues":[{"id":7.0,"title":null}]}}]`,
  });
  const state = await stateOf(connection, TYPE);
  expect(JSON.stringify(state)).not.toContain("canary");
  const blank = { name: null, hostname: null, image: null, cluster: null, namespace: null };
  expect(containersOf(state)).toEqual([
    { id: "a", ...blank, scan_time: "2020-09-13T12:26:40.000Z", compliance_issues: [] },
    {
      id: "b",
      ...blank,
      scan_time: "soon",
      compliance_issues: [{ id: 7, severity: null, title: null }],
    },
  ]);
});
