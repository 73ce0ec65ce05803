import { z } from "zod";
import { Provider } from "../../../src/core/provider";
import { optional, string } from "../../../src/core/schema/attribute";
import { Bench } from "../engine/bench";
import { memoryProvider, type World } from "../engine/memory-provider";

const stack = {
  provider: { memory: { world: "default" } },
  resource: {
    memory_thing: {
      a: { name: "a" },
      b: { name: "b", tags: { known: "yes" }, depends_on: ["memory_thing.a"] },
    },
  },
};

/** A provider that counts what the engine asks of it. */
function countingProvider(bench: Bench) {
  const counts = { configure: 0, close: 0, configuration: 0, validate: 0 };
  const { definition } = memoryProvider(bench.worlds);
  const provider = new Provider<World>({
    ...definition,
    configuration: {
      ...definition.configuration,
      world: optional(string(z.string().refine(() => ++counts.configuration)), "Which one."),
    },
    configure: (...request) => {
      counts.configure++;
      return definition.configure(...request);
    },
    close: (connection) => {
      counts.close++;
      return definition.close(connection);
    },
    resources: definition.resources.map((resource) => ({
      ...resource,
      validate: (config, connection) => {
        counts.validate++;
        return resource.validate?.(config, connection) ?? [];
      },
    })),
  });
  return { counts, providers: new Map([["test/memory", provider]]) };
}

describe("work done once", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
    await bench.synth({ main: stack });
  });
  afterEach(() => bench.close());

  const once = { configure: 1, close: 1, configuration: 1, validate: 2 };

  test("configures a provider and validates each resource once in a plan", async () => {
    const { counts, providers } = countingProvider(bench);
    await bench.planOnly({ providers });
    expect(counts).toEqual(once);
  });

  test("configures a provider and validates each resource once in an apply", async () => {
    const { counts, providers } = countingProvider(bench);
    const { plan } = await bench.apply({ providers });
    expect(plan).toEqual(["memory_thing.a create", "memory_thing.b create"]);
    expect(counts).toEqual(once);
  });

  test("validates again what an apply makes known", async () => {
    const json = structuredClone(stack) as { resource: { memory_thing: { b: object } } };
    json.resource.memory_thing.b = { name: "b", note: "${memory_thing.a.id}" };
    await bench.synth({ main: { ...json } });
    const { counts, providers } = countingProvider(bench);
    await bench.apply({ providers });
    expect(counts).toEqual({ ...once, validate: 3 });
  });

  test("closes the provider of a configuration that is invalid", async () => {
    await bench.synth({
      main: { ...stack, resource: { memory_thing: { a: { name: "forbidden" } } } },
    });
    const { counts, providers } = countingProvider(bench);
    const { problems } = await bench.planOnly({ providers });
    expect(problems).toEqual(["memory_thing.a: Forbidden name"]);
    expect(counts).toMatchObject({ configure: 1, close: 1, validate: 1 });
  });
});
