import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine } from "../../support/engine";

const PATH = "policies/runtime/container";
const whole = (name: string) => ({ name, images: ["*"], color: "#AD3C21", modified: "today" });
const config = (...collections: ObjectValue[]) => ({
  kind: "container_runtime_policy",
  on_destroy: "clear",
  entries: [{ name: "web", advancedProtection: true, collections }],
});

/** A console that answers the collections of its rule whole, in another order. */
async function consoleWithRule() {
  const simulated = await ready();
  const rule = { name: "web", advancedProtection: true, collections: [whole("b"), whole("a")] };
  await simulated.console.store(PATH, { _id: "r", rules: [rule] });
  const stored = () => simulated.console.document(PATH);
  return { ...simulated, stored, engine: new Engine(simulated.connection, "cwp_list") };
}

test.each([
  ["names", config({ name: "a" }, { name: "b" })],
  ["whole collections of another time", config({ name: "a", color: "#000" }, { name: "b" })],
])("compares with %s by name", async (_, wanted) => {
  const { engine, writes } = await consoleWithRule();
  await engine.applied(wanted);
  expect(writes()).toEqual([]);
  await engine.refresh();
  expect(await engine.isConverged(wanted)).toBe(true);
});

test("imports and writes names", async () => {
  const { engine, stored } = await consoleWithRule();
  await engine.import("container_runtime_policy");
  expect(engine.state).toMatchObject({
    entries: [{ collections: [{ name: "b" }, { name: "a" }] }],
  });
  const wanted = config({ name: "a" }, { name: "c" });
  await engine.applied(wanted);
  expect(stored()).toMatchObject({ rules: [{ collections: [{ name: "a" }, { name: "c" }] }] });
  expect(await engine.isConverged(wanted)).toBe(true);
});
