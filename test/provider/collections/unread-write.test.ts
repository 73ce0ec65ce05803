import type { Transport } from "../../../src/api/http/transport";
import type { Diagnostic } from "../../../src/core/diagnostics";
import type { ObjectValue } from "../../../src/core/values";
import { transportTo } from "../../../src/simulator";
import { connectTo, ready } from "../support/consoles";
import { bytes } from "../data-sources/read";
import { Engine, summaries } from "../support/engine";

const TYPE = "cwp_compliance_policy_set";
const policies = (ownership: string, ...names: readonly string[]): ObjectValue => ({
  ownership,
  policies: names.map((name) => ({ name, checks: { 41: true } })),
});

/** A console that refuses all reads after an accepted write, until it is repaired. */
async function breaking() {
  const { console } = await ready();
  await console.load({ policies: [] });
  let breaks = false;
  let isBroken = false;
  const transport: Transport = async (request) => {
    if (isBroken && request.method === "GET") {
      return { status: 400, headers: {}, body: bytes(`{"err":"broken"}`) };
    }
    const answer = await transportTo(console)(request);
    isBroken ||= breaks && request.method === "PUT";
    return answer;
  };
  const engine = new Engine(connectTo(transport, console.release), TYPE);
  return {
    engine,
    names: () => console.policies().map(({ name }) => name),
    breakAfterWrite: async (work: () => Promise<readonly Diagnostic[]>) => {
      breaks = true;
      const found = await work();
      expect(isBroken).toBe(true);
      [breaks, isBroken] = [false, false];
      return summaries(found);
    },
  };
}

test.each(["exclusive", "prefix", "suffix"])(
  "%s: entries of an accepted write stay managed if they cannot be read again",
  async (ownership) => {
    const { engine, names, breakAfterWrite } = await breaking();
    expect(await engine.apply(policies(ownership, "a"))).toEqual([]);
    const failed = await breakAfterWrite(() => engine.apply(policies(ownership, "a", "b")));
    expect(failed).toEqual(["Console refused the request"]);
    expect(engine.state?.policies).toHaveLength(2);
    // Another configuration removes them, in place of refusing them as unmanaged.
    expect(await engine.apply(policies(ownership, "c"))).toEqual([]);
    expect(names()).toEqual(["c"]);
    expect(await engine.apply(null)).toEqual([]);
    expect(names()).toEqual([]);
  },
);

test("an object stays in the state if its accepted destroy cannot be read again", async () => {
  const { engine, names, breakAfterWrite } = await breaking();
  expect(await engine.apply(policies("exclusive", "a"))).toEqual([]);
  const failed = await breakAfterWrite(() => engine.apply(null));
  expect(failed).toEqual(["Console refused the request"]);
  expect(engine.state).toBeDefined();
  expect(await engine.apply(null)).toEqual([]);
  expect(engine.state).toBeUndefined();
  expect(names()).toEqual([]);
});
