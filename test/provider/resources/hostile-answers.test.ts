import { gzipSync } from "node:zlib";
import type { ObjectValue } from "../../../src/core/values";
import type { Answer, Json } from "../../second-console/options";
import { Engine, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* Answers of consoles, and of proxies in front of them, that no specification has. */

afterEach(closeSecondConsoles);

const html = (text: string, status = 200, headers = {}): Answer => ({
  status,
  bytes: Buffer.from(`<html><head><title>${text}</title></head><body>${text}</body></html>`),
  headers: { "content-type": "text/html", ...headers },
});
const login = { location: "https://login.example.com/?return=console" };
const gzipped = (json: Json): Answer => ({
  status: 200,
  bytes: gzipSync(JSON.stringify(json)),
  headers: { "content-encoding": "gzip" },
});

const theirs = { name: "theirs", images: ["a"], notes: "x", future: { one: [1] } };
const ours: ObjectValue = { kind: "collection", body: { name: "ours", images: ["b"] } };

const REFUSED: Readonly<Record<string, readonly [Answer, RegExp]>> = {
  "an object around the list": [{ status: 200, json: { data: [theirs] } }, /Unexpected response/],
  "a list of texts": [{ status: 200, json: ["theirs"] }, /Unexpected response/],
  "an entry without a key": [{ status: 200, json: [{ images: [] }] }, /Unexpected response/],
  "a page of HTML": [html("Sign in"), /Unexpected response/],
  "a 404 with a page of HTML": [html("Not found", 404), /Console refused the request/],
  "a redirect to a login page": [html("Sign in", 302, login), /Console refused the request/],
  "half of an answer": [
    { status: 200, bytes: Buffer.from('[{"name": "the') },
    /Unexpected response/,
  ],
};

test.each(Object.entries(REFUSED))("%s is one error, and nothing is written", async (_, row) => {
  const [answer, summary] = row;
  const { connection, served } = await connectToSecond({
    content: { lists: { collections: [theirs] } },
    intercept: ({ method, path }) =>
      method === "GET" && path === "collections" ? answer : undefined,
  });
  const found = await new Engine(connection, "cwp_object").apply(ours);
  expect(summaries(found)).toEqual([expect.stringMatching(summary)]);
  expect(JSON.stringify(found[0]?.detail)).toContain("collections");
  expect(JSON.stringify(found[0]?.detail)).not.toMatch(/<html|<title/);
  expect(served.writes()).toEqual([]);
});

const ACCEPTED: Readonly<Record<string, (rows: Json) => Answer>> = {
  "a compressed answer": gzipped,
  "headers in upper case": (json) => ({
    status: 200,
    json,
    headers: { "TOTAL-COUNT": String((json as readonly Json[]).length), "X-POWERED-BY": "?" },
  }),
  "no content type": (json) => ({
    status: 200,
    bytes: Buffer.from(JSON.stringify(json)),
    headers: { "content-type": "" },
  }),
};

test.each(Object.entries(ACCEPTED))("%s is read, and nothing is lost", async (_, answerOf) => {
  const { connection, served } = await connectToSecond({
    content: { lists: { collections: [theirs] } },
    intercept: ({ method, path }, { lists }) =>
      method === "GET" && path === "collections" ? answerOf(lists.collections ?? []) : undefined,
  });
  const engine = await new Engine(connection, "cwp_object").applied(ours);
  expect(await engine.isConverged(ours)).toBe(true);
  expect(served.content().lists.collections).toContainEqual(theirs);
});

test("a null list is empty, and members that nobody knows are kept", async () => {
  const path = "policies/compliance/container";
  const check = { id: 599, block: true, future: "kept" };
  const { connection, served } = await connectToSecond({
    content: {
      policies: {
        [path]: {
          ...{ _id: "c", rules: [{ name: "root", condition: { vulnerabilities: [check] } }] },
          unknown: { kept: 1 },
        },
      },
    },
    intercept: ({ method, path: at }) =>
      method === "GET" && at === "policies/admission"
        ? { status: 200, json: { rules: null } }
        : undefined,
  });
  const list = new Engine(connection, "cwp_list");
  expect(await list.import("admission_policy")).toEqual([]);
  expect(list.state?.entries).toEqual([]);
  const policies = new Engine(connection, "cwp_compliance_policy_set");
  const config = { policies: [{ name: "root", checks: { "599": true } }] };
  expect(await policies.import("container")).toEqual([]);
  expect(await policies.isConverged(config)).toBe(true);
  await policies.applied({ policies: [{ name: "root", verbose: true, checks: { "599": true } }] });
  expect(served.content().policies[path]).toMatchObject({
    unknown: { kept: 1 },
    rules: [{ name: "root", condition: { vulnerabilities: [{ block: true, future: "kept" }] } }],
  });
});

test("checks with numbers as texts are one error, and nothing is written", async () => {
  const { connection, served } = await connectToSecond({
    intercept: ({ method, path }) =>
      method === "GET" && path === "policies/compliance/container"
        ? {
            status: 200,
            json: [{ name: "r", condition: { vulnerabilities: [{ id: "599", block: true }] } }],
          }
        : undefined,
  });
  const config = { policies: [{ name: "root", checks: { "599": true } }] };
  const found = await new Engine(connection, "cwp_compliance_policy_set").apply(config);
  expect(summaries(found)).toEqual(["Unexpected response from the console"]);
  expect(JSON.stringify(found[0]?.detail)).toContain("vulnerabilities[0].id: expected a number");
  expect(served.writes()).toEqual([]);
});
