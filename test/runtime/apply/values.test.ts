import { Bench } from "../engine/bench";

describe("values through plan and apply", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("unknown values of the plan are known when they are needed", async () => {
    await bench.synth({
      main: {
        locals: { label: "of-${memory_thing.a.id}" },
        resource: {
          memory_thing: {
            a: { name: "a" },
            b: {
              name: "${local.label}",
              size: "2",
              groups: ["z", "${memory_thing.a.id}"],
              parts: [{ label: "${memory_thing.a.id}" }, { label: "x", active: false }],
            },
          },
        },
        output: { label: { value: "${local.label}" } },
      },
    });
    await bench.apply();
    expect(bench.world.named("of-id-1")).toMatchObject({
      size: 2,
      groups: ["id-1", "z"],
      parts: [
        { label: "id-1", active: true },
        { label: "x", active: false },
      ],
    });
    const state = await bench.state();
    expect(state.outputs.label).toMatchObject({ value: "of-id-1", type: "string" });
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("timestamp and uuid have results in an apply, in arguments and in outputs", async () => {
    await bench.synth({
      main: {
        locals: { now: "${timestamp()}" },
        resource: { memory_thing: { a: { name: "${uuid()}", groups: ["${local.now}"] } } },
        output: { now: { value: "${local.now}" }, id: { value: "${uuid()}" } },
      },
    });
    await bench.apply();
    const { outputs, resources } = await bench.state();
    const [instance] = resources[0]?.instances ?? [];
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
    const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string;
    expect(instance?.attributes).toMatchObject({ name: uuid, groups: [time] });
    expect(outputs).toMatchObject({ now: { value: time }, id: { value: uuid } });
    expect(instance?.attributes).toMatchObject({ groups: [outputs.now?.value] });
  });

  test("a computed each.value is known when its instance is created", async () => {
    await bench.synth({
      main: {
        resource: {
          memory_thing: {
            a: { name: "a" },
            b: {
              for_each: { k: "${memory_thing.a.id}" },
              name: "${each.key}-${each.value}",
              lifecycle: {
                postcondition: [{ condition: '${each.value == "id-1"}', error_message: "Wrong." }],
              },
            },
          },
        },
      },
    });
    expect((await bench.apply()).problems).toEqual([]);
    expect(bench.world.named("k-id-1")).toBeDefined();
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("a provider with unknown configuration is configured when it is known", async () => {
    bench.worlds.set("id-1", bench.world);
    await bench.synth({
      main: {
        provider: { memory: [{}, { alias: "late", world: "${memory_thing.a.id}" }] },
        resource: {
          memory_thing: { a: { name: "a" }, b: { provider: "memory.late", name: "b" } },
        },
      },
    });
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["create a", "create b"]);
    expect((await bench.planOnly()).plan).toEqual([]);
    const b = (await bench.state()).resources.find(({ name }) => name === "b");
    expect(b).toMatchObject({
      provider: 'provider["registry.terraform.io/test/memory"].late',
      instances: [{ dependencies: ["memory_thing.a"] }],
    });
  });

  test("an ephemeral secret reaches the provider, and is in no plan and no state", async () => {
    bench.environment.TF_VAR_SECRET = "canary-4711";
    await bench.synth({
      main: {
        variable: { SECRET: { type: "string", sensitive: true, ephemeral: true } },
        provider: { memory: { token: "${var.SECRET}" } },
        resource: { memory_thing: { a: { name: "a", secret: "${var.SECRET}" } } },
      },
    });
    const { session } = await bench.planOnly();
    const json = JSON.stringify(session.plans, (_, value: unknown) =>
      typeof value === "symbol" ? "unknown" : value,
    );
    expect(json).not.toContain("canary");
    await bench.apply();
    expect(bench.world.secrets.get("a")).toBe("canary-4711");
    expect(JSON.stringify(await bench.state())).not.toContain("canary");
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("sensitive values are marked by the schema and by their source", async () => {
    bench.environment.TF_VAR_tag = "hidden";
    await bench.synth({
      main: {
        variable: { tag: { type: "string", sensitive: true } },
        resource: {
          memory_thing: {
            a: { name: "a", note: "n", tags: { "the.key": "${var.tag}" } },
            b: { name: 'b-${memory_thing.a.tags["the.key"]}', parts: [{ label: "${var.tag}" }] },
          },
        },
        output: { tag: { value: "${memory_thing.b.name}", sensitive: true } },
      },
    });
    await bench.apply();
    const state = await bench.state();
    const paths = state.resources.map(({ instances }) => instances[0]?.sensitivePaths);
    const attribute = (value: string) => ({ type: "get_attr", value });
    const index = (value: string | number, type: string) => ({
      type: "index",
      value: { value, type },
    });
    expect(paths).toEqual([
      [[attribute("note")], [attribute("tags"), index("the.key", "string")]],
      [
        [attribute("name")],
        [attribute("note")],
        [attribute("parts"), index(0, "number"), attribute("label")],
      ],
    ]);
    expect(state.outputs.tag).toMatchObject({ value: "b-hidden", sensitive: true });
  });

  test("an output of an attribute has the attribute's type", async () => {
    await bench.synth({
      main: {
        resource: { memory_thing: { a: { name: "a", groups: ["x"], tags: { k: "v" } } } },
        output: {
          groups: { value: "${memory_thing.a.groups}" },
          tags: { value: "${memory_thing.a.tags}" },
          list: { value: ["${memory_thing.a.id}", 1] },
          none: { value: null },
        },
      },
    });
    await bench.apply();
    expect((await bench.state()).outputs).toMatchObject({
      groups: { value: ["x"], type: ["set", "string"] },
      tags: { type: ["map", "string"] },
      list: { type: ["tuple", ["string", "number"]] },
    });
    expect(Object.keys((await bench.state()).outputs)).not.toContain("none");
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("the private state of the provider is kept with the object", async () => {
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a" } } } } });
    await bench.apply();
    const decode = async () => {
      const bytes = (await bench.state()).resources[0]?.instances[0]?.private;
      return JSON.parse(Buffer.from(bytes ?? []).toString()) as unknown;
    };
    expect(await decode()).toEqual({ made: "id-1" });
    await bench.synth({ main: { resource: { memory_thing: { a: { name: "a", size: 3 } } } } });
    await bench.apply();
    expect(await decode()).toEqual({ made: "id-1" });
  });
});
