import { resources } from "../../../src/provider/resources";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { Engine, provider, summaries, type Stored } from "../support/engine";
import { ready, type Simulated } from "../support/consoles";

const LIST = "cwp_compliance_policy_set";
const OTHER = "Object is on another console";
const POLICIES = { policies: [{ name: "No root", checks: { 599: true } }] };

const at = (url: string, options = {}) => ready({}, { baseUrl: url, ...options });

/** The same console at another address, as its provider has it. */
function moved({ console }: Pick<Simulated, "console">, url: string, options = {}) {
  return ready({ data: console.data }, { baseUrl: url, ...options });
}

async function applied(url: string, config: ObjectValue = POLICIES) {
  const simulated = await at(url);
  const engine = await new Engine(simulated.connection, LIST).applied(config);
  return { simulated, engine };
}

test.each(resources.map(({ type }) => [type]))("%s has the console of its objects", (type) => {
  expect(provider.resourceAttributes(type)?.attributes.console?.mode).toBe("computed");
});

test("knows the console at plan, in the state and in private state", async () => {
  const { connection } = await at("https://Console.example.com/");
  const engine = new Engine(connection, LIST);
  const { planned } = await engine.plan(POLICIES);
  expect(planned).toMatchObject({ console: "console.example.com:443" });
  await engine.applied(POLICIES);
  expect(engine.stored?.private).toMatchObject({ console: "console.example.com:443" });
  expect(await engine.isConverged(POLICIES)).toBe(true);
});

describe("an object of another console", () => {
  async function swapped() {
    const { engine } = await applied("https://a:8083");
    const other = await at("https://b:8083");
    const elsewhere = new Engine(other.connection, LIST);
    elsewhere.stored = engine.stored;
    return { elsewhere, sent: other.sent };
  }

  test("is refused by a refresh, with both addresses and the ways out", async () => {
    const { elsewhere, sent } = await swapped();
    const before = elsewhere.stored;
    const [problem, ...others] = await elsewhere.refresh();
    expect(others).toEqual([]);
    expect(problem?.summary).toBe(OTHER);
    for (const text of ["a:8083", "b:8083", "previous_base_urls", "--same-console", "state rm"]) {
      expect(problem?.detail).toContain(text);
    }
    expect(elsewhere.stored).toEqual(before);
    expect(sent).toEqual([]);
  });

  test.each([
    ["plan", POLICIES],
    ["plan to destroy", null],
  ])("is refused by a %s before anything is sent", async (_, config) => {
    const { elsewhere, sent } = await swapped();
    expect(summaries((await elsewhere.plan(config)).diagnostics)).toEqual([OTHER]);
    expect(sent).toEqual([]);
  });

  test("is refused by an update and a destroy whose plan did not know the console", async () => {
    const { elsewhere, sent } = await swapped();
    const change = { policies: [{ name: "Other", checks: { 41: true } }] };
    const signal = new AbortController().signal;
    const unknown = { connection: undefined, signal, private: elsewhere.stored?.private ?? {} };
    const prior = elsewhere.state ?? null;
    const plan = await provider.plan(LIST, {
      ...unknown,
      prior,
      config: prior && { ...prior, ...change },
    });
    expect(plan.planned).toMatchObject({ console: UNKNOWN });
    expect(summaries(await elsewhere.applyPlan(change, plan))).toEqual([OTHER]);
    expect(summaries(await elsewhere.applyPlan(null, { ...plan, planned: null }))).toEqual([OTHER]);
    expect(elsewhere.state).toEqual(prior);
    expect(sent).toEqual([]);
  });

  test("is refused where only private state names the console", async () => {
    const { elsewhere } = await swapped();
    elsewhere.stored &&= { ...elsewhere.stored, state: { ...elsewhere.state, console: null } };
    expect(summaries(await elsewhere.refresh())).toEqual([OTHER]);
  });
});

test.each(["exclusive", "prefix"])(
  "what a killed create has stored is refused elsewhere, and continued on its console: %s",
  async (ownership) => {
    const config = { ...POLICIES, ownership };
    const points: Stored[] = [];
    const { connection, console } = await at("https://a:8083");
    const creating = new Engine(connection, LIST, { onCheckpoint: (point) => points.push(point) });
    await creating.applied(config);
    const [point] = points;
    expect(point).toMatchObject({ state: { console: "a:8083" }, private: { console: "a:8083" } });
    const other = await at("https://b:8083");
    const elsewhere = new Engine(other.connection, LIST);
    elsewhere.stored = point;
    expect(summaries(await elsewhere.apply(config))).toEqual([OTHER]);
    expect(summaries(await elsewhere.apply(null))).toEqual([OTHER]);
    expect(other.sent).toEqual([]);
    const next = new Engine((await moved({ console }, "https://a:8083")).connection, LIST);
    next.stored = point;
    await next.applied(config);
    expect(await next.isConverged(config)).toBe(true);
  },
);

test("refuses to create on another console than the plan showed", async () => {
  const plan = await new Engine((await at("https://a:8083")).connection, LIST).plan(POLICIES);
  const other = await at("https://b:8083");
  const engine = new Engine(other.connection, LIST);
  expect(summaries(await engine.applyPlan(POLICIES, plan))).toEqual([OTHER]);
  expect(other.sent).toEqual([]);
});

test("a read names the console of an object that has no name, and the plan is empty", async () => {
  const { engine } = await applied("https://a:8083");
  const { console: name = null, ...state } = engine.stored?.state ?? {};
  engine.stored = {
    state: { ...state, console: null },
    private: { ...engine.stored?.private, console: null },
  };
  expect((await engine.plan(POLICIES)).planned).toEqual({ ...state, console: null });
  expect(await engine.isConverged(POLICIES)).toBe(true);
  expect(engine.stored).toMatchObject({ state: { console: name }, private: { console: name } });
});

describe("the same console at another address", () => {
  async function movedEngine(options: object) {
    const { engine, simulated } = await applied("https://a:8083");
    const { connection } = await moved(simulated, "https://b:8083", options);
    const elsewhere = new Engine(connection, LIST);
    elsewhere.stored = engine.stored;
    return elsewhere;
  }

  test("keeps the stored address in reads, and stores the new one in a write", async () => {
    const engine = await movedEngine({ previousBaseUrls: ["https://x", "A"] });
    expect(await engine.isConverged(POLICIES)).toBe(true);
    expect(engine.stored).toMatchObject({
      state: { console: "a:8083" },
      private: { console: "a:8083" },
    });
    await engine.applied({ policies: [{ name: "Other", checks: { 41: true } }] });
    expect(engine.stored).toMatchObject({
      state: { console: "b:8083" },
      private: { console: "b:8083" },
    });
  });

  test("is the same by its ID, whatever the address", async () => {
    const first = await at("https://127.0.0.1:1", { consoleId: "payments" });
    const engine = await new Engine(first.connection, LIST).applied(POLICIES);
    expect(engine.state).toMatchObject({ console: "payments" });
    const { connection } = await moved(first, "https://127.0.0.1:2", { consoleId: "payments" });
    const later = new Engine(connection, LIST);
    later.stored = engine.stored;
    expect(await later.isConverged(POLICIES)).toBe(true);
    const stranger = await at("https://127.0.0.1:1", { consoleId: "billing" });
    const other = new Engine(stranger.connection, LIST);
    other.stored = engine.stored;
    expect(summaries(await other.refresh())).toEqual([OTHER]);
  });
});
