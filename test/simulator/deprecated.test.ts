import { endpointFor, routesOf, type EndpointName } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
import { Console, type ConsoleOptions } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

const FIREWALLS = [
  ["getHostFirewallPolicies", "putHostFirewallPolicies"],
  ["getFirewallEntities", "putFirewallEntities"],
  ["getContainerFirewallPolicies", "putContainerFirewallPolicies"],
] as const;

const ANSWERS = { "application/json": "[]", "text/csv": /^(\w+,)+\w+\n$/ } as const;

async function started(release: Release, options: Pick<ConsoleOptions, "policyEnvelope"> = {}) {
  const console = await ready(new Console({ release, ...options }));
  return (name: EndpointName, body?: unknown) => {
    const { method, path } = endpointFor(name, release)!;
    return ask(console, `${method} ${path.replace("{id}", "some-id")}`, { as: ADMIN, body });
  };
}

describe.each(RELEASES)("endpoints of section 9.2 in release %s", (release) => {
  const endpoints = routesOf(release).filter(({ spec }) => spec === "9.2");
  const reads = endpoints.filter(({ method }) => method === "GET");
  const writes = endpoints.filter(({ method }) => method !== "GET");

  test.each(reads.map(({ name, answer }) => [name, answer] as const))(
    "%s answers with nothing, as %s",
    async (name, type) => {
      const call = await started(release);
      const { status, headers, text } = await call(name);
      expect([status, headers["content-type"]]).toEqual([200, type]);
      if (type === "text/csv") expect(text).toMatch(ANSWERS[type]);
      else expect(text).toBe("[]");
    },
  );

  test.each(writes.map(({ name }) => name))("%s answers without a body", async (name) => {
    const call = await started(release);
    for (const body of [undefined, "null", [], {}, { rules: [] }, { rules: [{ name: "one" }] }]) {
      expect(await call(name, body)).toMatchObject({ status: 200, text: "" });
    }
  });

  test.each(FIREWALLS)("stores firewall rules in 20.04 only: %s", async (get, put) => {
    const call = await started(release);
    const rules = [{ name: "one", ports: [8083] }, { name: "two" }];
    expect(await call(put, rules)).toMatchObject({ status: 200, text: "" });
    expect((await call(get)).json).toEqual(release === "20.04" ? rules : []);
    const others = FIREWALLS.map(([name]) => name).filter((name) => name !== get);
    for (const other of others) expect((await call(other)).json).toEqual([]);
    expect(await call(put, "null")).toMatchObject({ status: 200 });
    expect((await call(get)).json).toEqual([]);
    expect(await call(put, { rules })).toMatchObject({ status: 200 });
    expect((await call(get)).json).toEqual(release === "20.04" ? rules : []);
    expect(await call(put)).toMatchObject({ status: 200 });
    expect((await call(get)).json).toEqual([]);
    for (const malformed of [["rule"], { rules: "all" }, "rule", "{"]) {
      expect(await call(put, malformed)).toMatchObject({ status: 400 });
    }
  });

  test("answers every list of policies in an envelope if asked to", async () => {
    const call = await started(release, { policyEnvelope: true });
    const rule = { name: "one" };
    for (const [get, put] of FIREWALLS) {
      await call(put, [rule]);
      const rules = release === "20.04" ? [rule] : [];
      expect((await call(get)).json).toEqual({ rules, policyType: expect.any(String) as string });
    }
  });
});
