import fc from "fast-check";
import { parseJson, stringifyJson } from "../../src/core/json/lossless-json";
import { RELEASES } from "../../src/api/release";
import { Console, ManualClock, type ConsoleOptions } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

const GET = "GET /api/v1/policies/compliance/container";
const PUT = "PUT /api/v1/policies/compliance/container";
const START = "2021-01-01T00:00:00.000Z";
const LATER = "2021-01-01T01:00:00.000Z";
const ALL = {
  hosts: ["*"],
  images: ["*"],
  labels: ["*"],
  containers: ["*"],
  namespaces: ["*"],
  accountIDs: ["*"],
};

async function started(
  release?: (typeof RELEASES)[number],
  options: Pick<ConsoleOptions, "policyEnvelope"> = {},
) {
  const clock = new ManualClock(START);
  const console = await ready(new Console({ release, clock, ...options }));
  clock.advance({ hours: 1 });
  return {
    console,
    get: async () => (await ask(console, GET, { as: ADMIN })).json as Record<string, unknown>[],
    getText: async () => (await ask(console, GET, { as: ADMIN })).text,
    put: (body: unknown) => ask(console, PUT, { as: ADMIN, body }),
  };
}

describe.each(RELEASES)("the policies of release %s", (release) => {
  test("include two default policies of system that block nothing", async () => {
    const { get } = await started(release);
    const checks = (...ids: number[]) => ids.map((id) => ({ id, block: false, minSeverity: 0 }));
    const common = { owner: "system", modified: START, disabled: false, resources: ALL };
    expect(await get()).toMatchObject([
      {
        ...common,
        name: "Default - ignore own components",
        condition: { vulnerabilities: checks(56, 57) },
      },
      {
        ...common,
        name: "Default - alert on critical and high",
        condition: { vulnerabilities: checks(41, 51) },
      },
    ]);
  });

  test("are replaced as a whole, in the order sent", async () => {
    const { get, put } = await started(release);
    expect(await put([{ name: "b" }, { name: "a" }])).toMatchObject({ status: 200 });
    expect((await get()).map(({ name }) => name)).toEqual(["b", "a"]);
    await put([{ name: "a" }]);
    expect((await get()).map(({ name }) => name)).toEqual(["a"]);
  });
});

test("completes a new policy with every member of section 2.4, owner and date", async () => {
  const { get, put } = await started();
  await put([{ name: "new", condition: { vulnerabilities: [{ id: 41, block: true }] } }]);
  expect(await get()).toEqual([
    {
      modified: LATER,
      owner: ADMIN.username,
      name: "new",
      previousName: "",
      disabled: false,
      effect: "",
      resources: ALL,
      action: [],
      condition: {
        readonly: false,
        device: "",
        vulnerabilities: [{ id: 41, block: true, minSeverity: 0 }],
      },
      group: [],
      verbose: false,
      allCompliance: false,
      alertThreshold: { disabled: false, value: 0 },
      blockThreshold: { enabled: false, value: 0 },
      graceDays: 0,
      collections: [],
      notes: "",
      blockMsg: "",
    },
  ]);
});

test("keeps an empty list and reads a missing one as everything", async () => {
  const { get, put } = await started();
  await put([{ name: "new", resources: { hosts: [], images: ["nginx*"] } }]);
  expect(await get()).toMatchObject([{ resources: { ...ALL, hosts: [], images: ["nginx*"] } }]);
});

test("keeps a policy that is disabled and enabled", async () => {
  const { get, put } = await started();
  const [first, second] = await get();
  await put([{ ...first, disabled: true }, second]);
  expect(await get()).toMatchObject([{ name: first?.name, disabled: true }, second]);
  await put([{ ...first, disabled: false }, second]);
  expect((await get()).map(({ disabled }) => disabled)).toEqual([false, false]);
});

test("sets owner and date of changed policies only", async () => {
  const { get, put } = await started();
  const [first, second] = await get();
  await put([
    { ...second, owner: "eve", modified: "1999-01-01T00:00:00Z" },
    { ...first, verbose: true },
  ]);
  expect(await get()).toEqual([
    second,
    { ...first, verbose: true, owner: ADMIN.username, modified: LATER },
  ]);
});

test("treats the same managed members as unchanged", async () => {
  const { console, get, put } = await started();
  const managed = [{ name: "mine", disabled: false, resources: { hosts: ["a"] } }];
  await console.edit({ policies: managed }, "someone");
  const before = await get();
  await put(managed);
  expect(await get()).toEqual(before);
  expect(before).toMatchObject([{ owner: "someone" }]);
});

test("matches policies of one name by order", async () => {
  const { get, put } = await started();
  await put([{ name: "twin", verbose: true }, { name: "twin" }]);
  const [first, second] = await get();
  await put([first, { ...second, disabled: true }]);
  expect(await get()).toEqual([first, { ...second, disabled: true }]);
});

test("reads null as an empty list", async () => {
  const { getText, put } = await started();
  expect((await put("null")).status).toBe(200);
  expect(await getText()).toBe("[]");
  await put([{ name: "n", condition: { vulnerabilities: null }, resources: { hosts: null } }]);
  expect(JSON.parse(await getText())).toMatchObject([{ name: "n" }]);
});

test("takes and, if asked to, answers an envelope", async () => {
  const bare = await started();
  expect((await bare.put({ rules: [{ name: "one" }], policyType: "x" })).status).toBe(200);
  expect(JSON.parse(await bare.getText())).toMatchObject([{ name: "one" }]);
  const { put, getText } = await started("20.12", { policyEnvelope: true });
  await put([{ name: "two" }]);
  expect(JSON.parse(await getText())).toMatchObject({
    rules: [{ name: "two" }],
    policyType: "containerCompliance",
  });
});

test.each([
  ["no array", { policies: [] }, "body"],
  ["an empty object", {}, "body"],
  ["no JSON", "[{", "JSON"],
  ["an element that is no object", ["x"], "body[0]"],
  ["no name", [{ name: "a" }, { disabled: true }], "body[1].name"],
  ["an empty name", [{ name: "" }], "body[0].name"],
  ["a text for disabled", [{ name: "a", disabled: "false" }], "body[0].disabled"],
  [
    "a number among hosts",
    [{ name: "a", resources: { hosts: [1] } }],
    "body[0].resources.hosts[0]",
  ],
  [
    "an id that is no integer",
    [{ name: "a", condition: { vulnerabilities: [{ id: 1.5 }] } }],
    "body[0].condition.vulnerabilities[0].id",
  ],
  [
    "a check without id",
    [{ name: "a", condition: { vulnerabilities: [{ block: true }] } }],
    "body[0].condition.vulnerabilities[0].id",
  ],
])("refuses a collection with %s and changes nothing", async (_, body, place) => {
  const { getText, put } = await started();
  const before = await getText();
  const { status, json } = await put(body);
  expect(status).toBe(400);
  expect((json as { err: string }).err).toContain(place);
  expect(await getText()).toBe(before);
});

test("keeps unknown members and numbers as spelled", async () => {
  const { console, getText, put } = await started();
  const odd = `{"zeta":[{"b":1,"a":1.0}],"name":"odd","id":12345678901234567890,"e":1e3,"resources":{"hosts":null,"clusters":["c"]}}`;
  await console.load({ policies: [parseJson(odd) as Record<string, unknown>] });
  const before = await getText();
  expect(before).toBe(`[${odd}]`);
  await put(before);
  expect(await getText()).toBe(before);
});

test("keeps any collection byte for byte in a rewrite", async () => {
  const { console, getText, put } = await started();
  const policy = fc
    .tuple(fc.string({ minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([name, extra]) => ({ "x-extra": extra, name }));
  await fc.assert(
    fc.asyncProperty(fc.array(policy), async (policies) => {
      await console.edit({ policies });
      const before = await getText();
      expect((await put(before)).status).toBe(200);
      expect(await getText()).toBe(before);
      expect(stringifyJson(parseJson(before))).toBe(before);
    }),
    { numRuns: 50 },
  );
});

test("shows policies in connectivity tests", async () => {
  const { console, get } = await started();
  const { json } = await ask(console, "GET /api/v1/policies", { as: ADMIN });
  expect(json).toMatchObject({ containerCompliance: { rules: await get() } });
  expect(await ask(console, "GET /api/v1/policies/runtime/container", { as: ADMIN })).toMatchObject(
    {
      status: 200,
      json: { rules: [] },
    },
  );
});

test("refuses an edit that the API refuses", async () => {
  const { console } = await started();
  await expect(console.edit({ policies: [{ disabled: true }] })).rejects.toThrow("name");
});
