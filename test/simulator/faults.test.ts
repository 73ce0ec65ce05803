import { Console, parseFault, transportTo } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

const POLICIES = "/api/v1/policies/compliance/container";
const GET = `GET ${POLICIES}`;
const PUT = `PUT ${POLICIES}`;

async function faulty(...specs: string[]) {
  const console = await ready(new Console({ faults: specs.map(parseFault) }));
  const get = () => ask(console, GET, { as: ADMIN });
  const put = () => ask(console, PUT, { as: ADMIN, body: [] });
  return { console, get, put };
}

test("replaces the answer by a status as often as configured, without effect", async () => {
  const { console, put } = await faulty("putCompliancePolicies:status=503,retry-after=7:2");
  for (let round = 0; round < 2; round++) {
    expect(await put()).toMatchObject({
      status: 503,
      headers: { "retry-after": "7", "content-type": "application/json" },
      json: { err: expect.any(String) as string },
    });
  }
  expect(console.policies()).toHaveLength(2);
  expect((await put()).status).toBe(200);
  expect(console.policies()).toHaveLength(0);
});

test("sends a page of HTML or an empty body", async () => {
  const { get } = await faulty(`${GET}:status=429,body=html:1`, "*:status=502,body=empty:1");
  expect(await get()).toMatchObject({
    status: 429,
    text: expect.stringContaining("<html>") as string,
  });
  expect(await get()).toMatchObject({ status: 502, text: "", headers: {} });
  expect((await get()).status).toBe(200);
});

test("resets the connection before the effect", async () => {
  const { console, put } = await faulty("putCompliancePolicies:reset-before:1");
  expect(await put()).toMatchObject({ delivered: "none" });
  expect(console.policies()).toHaveLength(2);
});

test("resets the connection after the effect", async () => {
  const { console, put } = await faulty("putCompliancePolicies:reset-after:1");
  expect(await put()).toMatchObject({ delivered: "none" });
  expect(console.policies()).toHaveLength(0);
  expect(console.requests).toMatchObject([{ status: 200, delivered: "none" }]);
});

test("truncates or replaces the answer after the effect", async () => {
  const { console, put } = await faulty("putCompliancePolicies:truncate:1");
  expect(await put()).toMatchObject({ status: 200, delivered: "half" });
  expect(console.policies()).toHaveLength(0);
  console.faults.add(parseFault("getCompliancePolicies:html:1"));
  const { status, headers, text } = await ask(console, GET, { as: ADMIN });
  expect({ status, type: headers["content-type"] }).toEqual({
    status: 200,
    type: "text/html; charset=utf-8",
  });
  expect(text).toContain("<html>");
});

test("skips the first requests", async () => {
  const { get } = await faulty("getCompliancePolicies:status=500,skip=2:1");
  const statuses = [];
  for (let round = 0; round < 4; round++) statuses.push((await get()).status);
  expect(statuses).toEqual([200, 200, 500, 200]);
});

test("affects its target only", async () => {
  const { get, put } = await faulty(
    "putCompliancePolicies:status=500",
    `POST ${POLICIES}:status=500`,
  );
  expect((await get()).status).toBe(200);
  expect((await put()).status).toBe(500);
});

test("affects unauthenticated requests and unknown paths with *", async () => {
  const { console } = await faulty("*:status=503");
  expect((await ask(console, "GET /api/v1/_ping")).status).toBe(503);
  expect((await ask(console, "GET /nowhere")).status).toBe(503);
  console.faults.clear();
  expect((await ask(console, "GET /nowhere")).status).toBe(404);
});

test("applies two outcomes to two requests, with all delays", async () => {
  const { get } = await faulty("*:delay=1", "*:status=500:1", "*:status=501:1");
  expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([
    500, 501, 200,
  ]);
});

test("delays a request until the console closes", async () => {
  const { console, put } = await faulty("putCompliancePolicies:delay=3600000");
  const answer = put();
  await new Promise(setImmediate);
  expect(console.policies()).toHaveLength(2);
  console.close();
  expect((await answer).status).toBe(200);
  expect(console.policies()).toHaveLength(0);
});

test("fails a transport in process like a connection", async () => {
  const { console } = await faulty("ping:reset-before:1", "ping:truncate:1");
  const ping = () => transportTo(console)({ method: "GET", path: "/api/v1/_ping", headers: {} });
  const bodyOf = async () => {
    const chunks = [];
    for await (const chunk of (await ping()).body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  await expect(ping()).rejects.toThrow("reset");
  await expect(bodyOf()).rejects.toThrow("broke");
  expect(await bodyOf()).toBe("OK");
});
