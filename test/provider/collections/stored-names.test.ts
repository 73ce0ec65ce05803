import type { ObjectValue } from "../../../src/core/values";
import type { JsonObject } from "../../second-console/options";
import { Engine, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* A console stores names in its own spelling. */

afterEach(closeSecondConsoles);

const PATH = "settings/registry";
const scan = (...registries: readonly string[]): ObjectValue => ({
  ownership: "shared",
  specifications: registries.map((registry) => ({ registry, repository: "*", tag: "*", cap: 5 })),
});

test("an entry that the console spells otherwise is named, and added once", async () => {
  const { served, connection } = await connectToSecond({
    intercept: ({ method, path, body }, { documents }) => {
      if (method !== "PUT" || path !== PATH) return undefined;
      const { specifications } = JSON.parse(body) as { specifications: { registry: string }[] };
      const spelled = specifications.map((one) => ({
        ...one,
        registry: one.registry.replace("https://", "").toLowerCase(),
      }));
      documents[PATH] = { ...documents[PATH], specifications: spelled };
      return { status: 200 };
    },
  });
  const registries = () => {
    const found = served.content().documents[PATH]?.specifications as readonly JsonObject[];
    return found.map(({ registry }) => registry);
  };
  const engine = new Engine(connection, "cwp_registry_scan");
  const [failure, ...others] = await engine.apply(scan("https://A.example.com", "b"));
  expect([failure?.summary, summaries(others)]).toEqual(["Console gave entries another name", []]);
  expect(failure?.detail).toContain("https://A.example.com * * as a.example.com * *");
  expect(registries()).toEqual(["a.example.com", "b"]);
  await engine.applied(scan("a.example.com", "b"));
  expect(await engine.isConverged(scan("a.example.com", "b"))).toBe(true);
  await engine.applied(null);
  expect(registries()).toEqual([]);
});
