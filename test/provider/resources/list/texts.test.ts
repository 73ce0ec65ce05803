import { closeSecondConsoles, connectToSecond } from "../../support/second-console";
import { storing } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";

afterEach(closeSecondConsoles);

const names = (...entries: string[]) => ({
  path: "settings/certs",
  unlisted: true,
  method: "POST",
  member: "consoleSAN",
  order: "none",
  ownership: "shared",
  entries,
});

test("adds its texts to those of others, and removes them again", async () => {
  const { served, connection } = await connectToSecond();
  const found = () => served.content().documents["settings/certs"];
  const before = structuredClone(found());
  const engine = await new Engine(connection, "cwp_list").applied(names("console.example.org"));
  expect(found()?.consoleSAN).toEqual(["127.0.0.1", "console.example.org"]);
  expect(engine.state?.entries).toEqual(["console.example.org"]);
  expect(await engine.isConverged(names("console.example.org"))).toBe(true);

  (found() as Record<string, unknown>).consoleSAN = ["theirs", "console.example.org", "127.0.0.1"];
  expect(await engine.isConverged(names("console.example.org"))).toBe(true);
  await engine.applied(names("b.example.org", "a.example.org"));
  expect(found()?.consoleSAN).toEqual(["theirs", "127.0.0.1", "b.example.org", "a.example.org"]);
  expect(await engine.isConverged(names("b.example.org", "a.example.org"))).toBe(true);
  await engine.applied(null);
  expect(found()).toEqual({ ...before, consoleSAN: ["theirs", "127.0.0.1"] });
});

test("finds a text that was removed on the console", async () => {
  const { served, connection } = await connectToSecond();
  const engine = await new Engine(connection, "cwp_list").applied(names("a"));
  (served.content().documents["settings/certs"] as Record<string, unknown>).consoleSAN = [];
  await engine.refresh();
  expect(engine.state?.entries).toEqual([]);
  await engine.applied(names("a"));
  expect(served.content().documents["settings/certs"]?.consoleSAN).toEqual(["a"]);
});

test("imports texts as they are", async () => {
  const { connection } = storing("/api/v1/settings/x", '{"hosts":["a","b"],"n":1}');
  const engine = new Engine(connection, "cwp_list");
  const place = { path: "settings/x", member: "hosts" };
  expect(await engine.import(JSON.stringify({ ...place, order: "none" }))).toEqual([]);
  expect(engine.state?.entries).toEqual(["a", "b"]);
  const config = { ...place, order: "none", unlisted: true, entries: ["a", "b"] };
  expect(await engine.isConverged(config)).toBe(true);
  expect(summaries(engine.validate({ ...config, entries: ["a", "a"] }))).toEqual([
    "Duplicate text",
  ]);
});
