import { RELEASES } from "../../../src/api/release";
import { ready } from "../support/consoles";
import { answering, objectsIn, stateOf, textIn } from "./read";

describe.each(RELEASES)("release %s", (release) => {
  test("reads functions, their names and their defenders", async () => {
    const { connection, sent } = await ready({ release });
    const all = await stateOf(connection, "cwp_serverless_functions");
    const defended = await stateOf(connection, "cwp_serverless_functions", { defended: true });
    const open = await stateOf(connection, "cwp_serverless_functions", { defended: false });
    expect(objectsIn(all.functions)[0]).toEqual({
      id: expect.any(String) as string,
      name: expect.any(String) as string,
      provider: expect.stringMatching(/aws|azure|gcp/) as string,
      region: expect.any(String) as string,
      runtime: expect.any(String) as string,
      defended: expect.any(Boolean) as boolean,
    });
    expect(all.names).toEqual(objectsIn(all.functions).map(({ name }) => name));
    expect(objectsIn(all.functions).length).toBeGreaterThan(100);
    expect(objectsIn(defended.functions).every((one) => one.defended === true)).toBe(true);
    expect(objectsIn(open.functions).every((one) => one.defended === false)).toBe(true);
    expect(objectsIn(defended.functions).length + objectsIn(open.functions).length).toBe(
      objectsIn(all.functions).length,
    );
    expect(open.names).toEqual(objectsIn(open.functions).map(({ name }) => name));
    const asked = sent.filter(({ path }) => /[?&](protected|defended)=/.test(path));
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.every(({ path }) => path.includes("defended") === (release === "next"))).toBe(
      true,
    );
  });

  test("reads services and errors of cloud discovery", async () => {
    const { connection } = await ready({ release });
    const state = await stateOf(connection, "cwp_cloud_discovery");
    const services = objectsIn(state.services);
    expect(services.length).toBeGreaterThan(10);
    expect(
      services.every(
        ({ defended, total }) => typeof defended === "number" && defended <= Number(total),
      ),
    ).toBe(true);
    expect(services[0]).toMatchObject({
      provider: expect.any(String) as string,
      region: expect.any(String) as string,
      account_id: expect.any(String) as string,
      service_type: expect.any(String) as string,
    });
    expect(state.errors).toEqual([
      expect.stringContaining("aws-legacy"),
      expect.stringContaining("gcp-old"),
    ]);
  });

  test("reads the auto-deploy status of functions and hosts", async () => {
    const { console, connection } = await ready({ release });
    await console.load({ serverlessAutoDeploy: [{ name: "all-aws", provider: "aws" }] });
    const state = await stateOf(connection, "cwp_auto_deploy_status");
    const [functions] = objectsIn(state.serverless);
    expect(functions).toMatchObject({ name: "all-aws" });
    expect(Number(functions?.defended)).toBeGreaterThan(0);
    expect(JSON.parse(textIn(functions?.raw_json))).toEqual({
      name: "all-aws",
      defended: Number(functions?.defended),
    });
    expect(objectsIn(state.hosts)).toEqual([
      { name: null, defended: "24", raw_json: '{"defended":24}' },
    ]);
  });
});

test("reads a page of functions and of their names", async () => {
  const { connection } = await ready();
  const type = "cwp_serverless_functions";
  const all = await stateOf(connection, type);
  for (const [offset, limit] of [
    [1, 2],
    [0, 70],
  ] as const) {
    const page = await stateOf(connection, type, { offset, limit });
    expect(objectsIn(page.functions)).toEqual(
      objectsIn(all.functions).slice(offset, offset + limit),
    );
    expect(page.names).toEqual(
      objectsIn(all.functions)
        .slice(offset, offset + limit)
        .map((one) => one.name),
    );
  }
});

test.each([
  ["true", true],
  ['"false"', false],
  ["0", false],
  ["12e400", true],
  ['"partly"', null],
  ["null", null],
])("reads the defended flag %s", async (found, expected) => {
  const connection = answering({
    "/api/v1/serverless": `[{"name":"f","protected":${found}}]`,
    "/api/v1/serverless/names": '["f"]',
  });
  const state = await stateOf(connection, "cwp_serverless_functions");
  expect(state.functions).toMatchObject([{ name: "f", defended: expected }]);
});

test("reads a record with an error and findings as both", async () => {
  const connection = answering({
    "/api/v1/cloud/discovery":
      '[{"provider":"aws","protected":2,"err":"one region failed"},{"err":"no access"},{"provider":"gcp","err":""}]',
  });
  const state = await stateOf(connection, "cwp_cloud_discovery");
  const blank = { region: null, account_id: null, service_type: null, total: null };
  expect(state).toEqual({
    services: [
      { provider: "aws", ...blank, defended: 2 },
      { provider: "gcp", ...blank, defended: null },
    ],
    errors: ["one region failed", "no access"],
  });
});
