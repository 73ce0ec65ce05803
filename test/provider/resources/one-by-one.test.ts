import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { complete, Engine, errorsOf, provider, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* Objects that a console takes in several requests, or whose number the client chooses. */

afterEach(closeSecondConsoles);

const TYPE = "cwp_object";
const vuln = (id: string, more: ObjectValue = {}): ObjectValue => ({
  ...{ id, packageName: "*", resourceType: "image", resources: ["*"] },
  ...more,
});
const tag = (...vulns: readonly ObjectValue[]): ObjectValue => ({
  kind: "tag",
  body: { name: "accepted", color: "#AABBCC", vulns },
});
const rule = (name: string, script = "exit"): ObjectValue => ({
  kind: "custom_rule",
  body: { name, type: "processes", script },
});

const consoles = {
  simulator: async () => {
    const { connection, writes } = await ready({});
    return { connection, writes: () => writes().map((one) => one.replace("/api/v1/", "")) };
  },
  "second console": async () => {
    const { connection, served } = await connectToSecond();
    return { connection, writes: () => served.writes() };
  },
};

test.each(Object.entries(consoles))(
  "writes the vulnerabilities of a tag that the %s does not take with it",
  async (_, connect) => {
    const { connection, writes } = await connect();
    const engine = new Engine(connection, TYPE);
    await engine.applied(tag(vuln("CVE-1"), vuln("CVE-2")));
    expect(writes()).toEqual(["POST tags", "POST tags/accepted/vuln", "POST tags/accepted/vuln"]);
    for (const config of [
      tag(vuln("CVE-2"), vuln("CVE-1")),
      tag(vuln("CVE-3"), vuln("CVE-1")),
      tag(vuln("CVE-1", { comment: "not reachable" })),
      tag(),
    ]) {
      await engine.applied(config);
      expect(await engine.isConverged(config)).toBe(true);
    }
    await engine.applied(null);
    expect(writes().at(-1)).toBe("DELETE tags/accepted");
  },
);

test("a reordered tag is no change", async () => {
  const { connection, writes } = await consoles.simulator();
  const engine = new Engine(connection, TYPE);
  await engine.applied(tag(vuln("CVE-1"), vuln("CVE-2")));
  const { length } = writes();
  await engine.applied(tag(vuln("CVE-2"), vuln("CVE-1")));
  expect(writes()).toHaveLength(length);
});

test("a tag of which a part is refused is known to the next run", async () => {
  const { connection } = await connectToSecond({
    intercept: ({ path, body }) =>
      path === "tags/accepted/vuln" && body.includes("CVE-2")
        ? { status: 400, json: { err: "unknown CVE" } }
        : undefined,
  });
  const engine = new Engine(connection, TYPE);
  const failed = await engine.apply(tag(vuln("CVE-1"), vuln("CVE-2")));
  expect(summaries(failed)).toEqual(["Console refused the request"]);
  expect(JSON.stringify(failed[0]?.detail)).toContain("unknown CVE");
  expect(engine.state).toMatchObject({ body: { vulns: [{ id: "CVE-1" }] } });
  await engine.applied(tag(vuln("CVE-1")));
  expect(await engine.isConverged(tag(vuln("CVE-1")))).toBe(true);
});

test("numbers a rule that has no number", async () => {
  const theirs = { _id: 41, name: "theirs" };
  const { connection, served } = await connectToSecond({
    content: { lists: { "policies/runtime/custom-rules": [theirs] } },
  });
  const engine = new Engine(connection, TYPE);
  await engine.applied(rule("ours"));
  expect(engine.state).toMatchObject({ id: "42", body: rule("ours").body });
  await engine.applied(rule("renamed", "true"));
  expect(engine.state?.id).toBe("42");
  expect(await engine.isConverged(rule("renamed", "true"))).toBe(true);
  expect(await engine.isConverged({ ...rule("renamed", "true") })).toBe(true);
  const imported = new Engine(connection, TYPE);
  expect(await imported.import("custom_rule:42")).toEqual([]);
  expect(await imported.isConverged(rule("renamed", "true"))).toBe(true);
  await engine.applied(null);
  expect(served.content().lists["policies/runtime/custom-rules"]).toEqual([theirs]);
});

test("numbers a rule once more if another client took the number", async () => {
  let isTaken = false;
  const { connection, served } = await connectToSecond({
    intercept: ({ method }, { lists }) => {
      if (method !== "PUT" || isTaken) return undefined;
      isTaken = true;
      lists["policies/runtime/custom-rules"] = [{ _id: 1, name: "of another client" }];
      return { status: 200 };
    },
  });
  const engine = new Engine(connection, TYPE);
  await engine.applied(rule("ours"));
  expect(engine.state?.id).toBe("2");
  expect(served.content().lists["policies/runtime/custom-rules"]).toMatchObject([
    { _id: 1, name: "of another client" },
    { _id: 2, name: "ours" },
  ]);
});

test("a rule without a number needs a name", () => {
  const { attributes = {} } = provider.resourceAttributes(TYPE) ?? {};
  const config = { kind: "custom_rule", body: { script: "exit" } };
  const found = errorsOf(provider.validateResource(TYPE, complete(attributes, config)));
  expect(found.map(({ detail }) => String(detail)).join()).toContain("has no name");
});
