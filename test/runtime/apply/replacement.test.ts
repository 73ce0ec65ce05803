import { Bench } from "../engine/bench";

describe("replacement", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const chain = (kind: string, lifecycle: object = {}) => ({
    main: {
      resource: {
        memory_thing: {
          base: { name: "base", kind },
          user: { name: "user", tags: { base: "${memory_thing.base.id}" }, lifecycle },
        },
      },
    },
  });

  test("destroys first, then creates, then updates dependents", async () => {
    await bench.synth(chain("old"));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(chain("new"));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.base delete-then-create replace_because_cannot_update",
      "memory_thing.user update",
    ]);
    expect(bench.world.takeWrites()).toEqual(["delete base", "create base", "update user"]);
    expect(bench.world.named("user")?.tags).toEqual({ base: "id-3" });
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  test("creates a dependency first if a dependent has create_before_destroy", async () => {
    await bench.synth(chain("old", { create_before_destroy: true }));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(chain("new", { create_before_destroy: true }));
    expect((await bench.apply()).plan).toEqual([
      "memory_thing.base create-then-delete replace_because_cannot_update",
      "memory_thing.user update",
    ]);
    expect(bench.world.takeWrites()).toEqual(["create base", "update user", "delete base"]);
    const { resources } = await bench.state();
    expect(
      resources.map(({ instances }) => instances.map((one) => one.createBeforeDestroy)),
    ).toEqual([[true], [true]]);
  });

  test("creates new objects in order and destroys old ones in reverse with create_before_destroy", async () => {
    const both = (kind: string) => ({
      main: {
        resource: {
          memory_thing: {
            base: { name: "base", kind },
            user: {
              name: "user",
              kind,
              tags: { base: "${memory_thing.base.id}" },
              lifecycle: { create_before_destroy: true },
            },
          },
        },
      },
    });
    await bench.synth(both("old"));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(both("new"));
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual([
      "create base",
      "create user",
      "delete user",
      "delete base",
    ]);
    expect(bench.world.things.size).toBe(2);
  });

  test("destroys a dependency last if its dependent is replaced", async () => {
    const stack = (kind: string, withBase: boolean) => ({
      main: {
        resource: {
          memory_thing: {
            ...(withBase && { base: { name: "base" } }),
            user: {
              name: "user",
              kind,
              ...(withBase && { tags: { base: "${memory_thing.base.id}" } }),
              lifecycle: { create_before_destroy: true },
            },
          },
        },
      },
    });
    await bench.synth(stack("old", true));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(stack("new", false));
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["create user", "delete user", "delete base"]);
  });

  test("keeps the old object current if the new one cannot be created", async () => {
    await bench.synth(chain("old", { create_before_destroy: true }));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth(chain("new", { create_before_destroy: true }));
    bench.world.fault = (operation) => {
      if (operation === "create") throw new Error("no");
      return undefined;
    };
    const { problems } = await bench.apply();
    expect(problems).toEqual(["memory_thing.base: Internal provider error"]);
    const [base] = (await bench.state()).resources;
    expect(base?.instances).toMatchObject([{ attributes: { id: "id-1", kind: "old" } }]);
    expect(base?.instances[0]).not.toHaveProperty("deposed");
  });

  test("keeps an old object deposed if it cannot be destroyed, and destroys it in the next apply", async () => {
    await bench.synth(chain("old", { create_before_destroy: true }));
    await bench.apply();
    await bench.synth(chain("new", { create_before_destroy: true }));
    bench.world.fault = (operation) =>
      operation === "delete" ? Promise.resolve("partial") : undefined;
    await bench.apply();
    const [base] = (await bench.state()).resources;
    expect(base?.instances.map(({ deposed }) => typeof deposed)).toEqual(["undefined", "string"]);
    expect(base?.instances[1]?.deposed).toMatch(/^[0-9a-f]{8}$/);

    bench.world.fault = () => undefined;
    bench.world.takeWrites();
    expect((await bench.apply()).plan).toEqual(["memory_thing.base deposed delete"]);
    expect(bench.world.takeWrites()).toEqual(["delete base"]);
    expect((await bench.planOnly()).plan).toEqual([]);
  });

  // Both orders were seen with Terraform 1.11.
  test.each([
    [false, ["delete base", "update user"]],
    [true, ["update user", "delete base"]],
  ])(
    "what is removed while its user lets go of it, create_before_destroy = %p",
    async (createFirst, order) => {
      const stack = (withBase: boolean) => ({
        main: {
          resource: {
            memory_thing: {
              ...(withBase && { base: { name: "base" } }),
              user: {
                name: "user",
                tags: { base: withBase ? "${memory_thing.base.id}" : "none" },
                lifecycle: { create_before_destroy: createFirst },
              },
            },
          },
        },
      });
      await bench.synth(stack(true));
      await bench.apply();
      bench.world.takeWrites();
      await bench.synth(stack(false));
      await bench.apply();
      expect(bench.world.takeWrites()).toEqual(order);
    },
  );

  test("destroys removed resources in reverse order", async () => {
    await bench.synth(chain("old"));
    await bench.apply();
    bench.world.takeWrites();
    await bench.synth({ main: { resource: { memory_thing: {} } } });
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["delete user", "delete base"]);
  });
});
