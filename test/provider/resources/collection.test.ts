import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { Engine, summaries } from "../support/engine";

const TYPE = "cwp_collection";
const PATH = "collections";
const config: ObjectValue = {
  name: "payments",
  images: ["pay/*"],
  namespaces: ["pay-*", "-pay-x"],
};

async function consoleWith(...collections: readonly object[]) {
  const simulated = await ready();
  await simulated.console.store(PATH, collections);
  const stored = () => simulated.console.document(PATH);
  return { ...simulated, stored, engine: new Engine(simulated.connection, TYPE) };
}

test("creates, changes and deletes a collection", async () => {
  const { engine, stored } = await consoleWith({ name: "All", system: true });
  await engine.applied(config);
  expect(stored()).toMatchObject([
    { name: "All" },
    { name: "payments", images: ["pay/*"], labels: ["*"], codeRepos: ["*"] },
  ]);
  expect(engine.state).toMatchObject({ id: "payments", account_ids: ["*"], color: null });
  expect(await engine.isConverged(config)).toBe(true);
  const wider = { ...config, images: ["pay/*", "bank/*"], color: "#AD3C21" };
  await engine.applied(wider);
  expect(stored()).toMatchObject([{}, { images: ["bank/*", "pay/*"], color: "#AD3C21" }]);
  expect(await engine.isConverged(wider)).toBe(true);
  await engine.applied(null);
  expect(stored()).toEqual([{ name: "All", system: true }]);
});

test("keeps a description and a color that it does not set, and the order of the console", async () => {
  const { console, engine, stored } = await consoleWith();
  await engine.applied(config);
  const other = { name: "payments", images: ["pay/*"], namespaces: ["-pay-x", "pay-*"] };
  await console.store(PATH, [{ ...other, description: "theirs", color: "#000" }]);
  await engine.refresh();
  expect(await engine.isConverged(config)).toBe(true);
  await console.store(PATH, [{ ...other, images: ["x"], description: "theirs" }]);
  await engine.refresh();
  expect(engine.state).toMatchObject({ images: ["x"] });
  await engine.applied(config);
  expect(stored()).toMatchObject([{ images: ["pay/*"], description: "theirs" }]);
});

test("does not overwrite a collection that it finds, and imports it", async () => {
  const { engine, stored, writes } = await consoleWith({ name: "payments", images: ["x"] });
  expect(summaries(await engine.apply(config))).toEqual(["Object already exists"]);
  expect(writes()).toEqual([]);
  expect(await engine.import("payments")).toEqual([]);
  expect(engine.state).toMatchObject({ id: "payments", images: ["x"], hosts: ["*"] });
  await engine.applied(config);
  expect(stored()).toMatchObject([{ images: ["pay/*"] }]);
});

test("does not manage a collection of the console itself", async () => {
  const { engine } = await consoleWith({ name: "All", system: true });
  expect(summaries(await engine.import("All"))).toEqual(["Collection of the console itself"]);
});
