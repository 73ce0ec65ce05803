import { mkdirSync } from "node:fs";
import { Bench } from "../engine/bench";

describe("several stacks", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  const up = (name = "up", more: object = {}) => ({
    resource: { memory_thing: { u: { name, ...more } } },
    output: { id: { value: "${memory_thing.u.id}", sensitive: true } },
  });
  const down = () => ({
    data: {
      terraform_remote_state: {
        up: {
          backend: "local",
          config: { path: bench.statePath("up") },
          workspace: "${terraform.workspace}",
        },
      },
    },
    resource: {
      memory_thing: {
        d: { name: "down", tags: { up: "${data.terraform_remote_state.up.outputs.id}" } },
      },
    },
  });

  test("are planned together, and applied in the order of their references", async () => {
    await bench.synth({ down: down(), up: up() }, { down: ["up"] });
    const { plan, problems } = await bench.apply();
    expect(problems).toEqual([]);
    expect(plan).toEqual(["memory_thing.u create", "output.id create", "memory_thing.d create"]);
    expect(bench.world.takeWrites()).toEqual(["create up", "create down"]);
    expect(bench.world.named("down")?.tags).toEqual({ up: "id-1" });
    expect((await bench.planOnly()).plan).toEqual([]);
    const [{ instances } = { instances: [] }] = (await bench.state("down")).resources;
    expect(instances[0]).toMatchObject({ dependencies: ["data.terraform_remote_state.up"] });
    // The schema's own.
    expect(JSON.stringify(instances[0]?.sensitivePaths)).toMatch(/^\[\[[^\]]*"note"[^\]]*\]\]$/);
  });

  test("read a stack that is not selected from its state", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    await bench.apply({ stacks: ["up"] });
    expect((await bench.apply({ stacks: ["down"] })).plan).toEqual(["memory_thing.d create"]);
    expect(bench.world.named("down")?.tags).toEqual({ up: "id-1" });
  });

  test("hide across stacks what is sensitive, planned together or not, and store no mark for it", async () => {
    const hidden = {
      ...up("up", { note: "${var.hidden}", tags: { late: "${local.late}" } }),
      variable: { hidden: { type: "string", sensitive: true, default: "h" } },
      locals: { late: "${upper(var.hidden)}" },
      output: {
        id: { value: "${memory_thing.u.id}", sensitive: true },
        secret: { value: "${memory_thing.u.tags.late}", sensitive: true },
        shown: { value: "${nonsensitive(local.late)}", sensitive: true },
        parts: { value: { a: "${memory_thing.u.name}", b: "${local.late}" }, sensitive: true },
      },
    };
    const reading = {
      ...down(),
      resource: {
        memory_thing: {
          d: {
            name: "down",
            tags: Object.fromEntries(
              ["id", "secret", "shown", "parts.a", "parts.b"].map((name) => [
                name,
                `\${data.terraform_remote_state.up.outputs.${name}}`,
              ]),
            ),
          },
        },
      },
    };
    await bench.synth({ up: hidden, down: reading }, { down: ["up"] });
    const hiddenBy = async (stacks: readonly string[]) => {
      const { session } = await bench.planOnly({ stacks });
      const change = session.plans.at(-1)?.changes[0];
      const paths = (change?.afterSensitive ?? []).flatMap(([, name]) => String(name ?? ""));
      return [...new Set(paths)].sort().slice(1);
    };
    const all = ["id", "parts.a", "parts.b", "secret", "shown"];
    expect(await hiddenBy([])).toEqual(all);
    await bench.apply();
    const [{ instances } = { instances: [] }] = (await bench.state("down")).resources;
    expect(JSON.stringify(instances[0]?.sensitivePaths)).not.toContain("tags");
    for (const stacks of [[], ["down"]]) {
      expect((await bench.planOnly({ stacks })).plan).toEqual([]);
      expect(await hiddenBy(stacks)).toEqual(all);
    }
  });

  test("name a stack that was never applied", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    const { session, problems } = await bench.planOnly({ stacks: ["down"] });
    expect(problems).toEqual(["data.terraform_remote_state.up: No state to read from"]);
    expect(session.diagnostics[0]?.detail).toContain('stack "up"');
  });

  test("report an unreadable state instead of taking it for a missing one", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    mkdirSync(bench.statePath("up"), { recursive: true });
    const { session } = await bench.planOnly({ stacks: ["down"] });
    expect(session.diagnostics[0]?.detail).toBe(
      `State file ${bench.statePath("up")}: is a directory. Name a file.`,
    );
  });

  test("report an undeclared output before anything is read", async () => {
    const wrong = down();
    wrong.resource.memory_thing.d.tags.up = "${data.terraform_remote_state.up.outputs.nothing}";
    await bench.synth({ up: up(), down: wrong });
    expect((await bench.planOnly()).problems).toEqual(["memory_thing.d: Unsupported attribute"]);
    expect(bench.world.calls).toEqual([]);
  });

  test("skip dependents in other stacks after a failure", async () => {
    await bench.synth({
      up: up(),
      down: down(),
      apart: { resource: { memory_thing: { x: { name: "apart" } } } },
    });
    bench.world.fault = (operation, name) => {
      if (operation === "create" && name === "up") throw new Error("no");
      return undefined;
    };
    const { stacks } = await bench.apply();
    expect(stacks.map(({ stack, counts }) => [stack, counts.add])).toEqual([
      ["up", 0],
      ["down", 0],
      ["apart", 1],
    ]);
  });

  test("keep all objects behind a stack that fails, and complete those before it", async () => {
    const named = (resources: Record<string, object>) => ({
      resource: { memory_thing: resources },
    });
    const former = {
      up: named({ u: { name: "u" } }),
      down: named({ d: { name: "d", kind: "a" }, e: { name: "e" } }),
    };
    const later = {
      up: named({ u: { name: "u", kind: "b" } }),
      down: named({ d: { name: "d", kind: "b" } }),
    };
    const failing = (of: string) => {
      bench.world.fault = (operation, name) => {
        if (`${operation} ${name}` === of) throw new Error("no");
        return undefined;
      };
    };
    await bench.synth(former, { down: ["up"] });
    await bench.apply();
    await bench.synth(later, { down: ["up"] });
    bench.world.takeWrites();
    failing("create u");
    const first = await bench.apply();
    expect(first.stacks.map(({ complete }) => complete)).toEqual([false, false]);
    expect(bench.world.takeWrites().filter((write) => !write.endsWith(" u"))).toEqual([]);
    failing("delete e");
    const second = await bench.apply();
    expect(second.stacks.map(({ complete }) => complete)).toEqual([true, false]);
  });

  test("store neither what is imported nor what moves behind a stack that fails", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    await bench.apply({ stacks: ["down", "up"] });
    await bench.synth({ other: { resource: { memory_thing: { o: { name: "other" } } } } });
    await bench.apply();
    const imported = bench.world.named("other")?.id;
    const before = JSON.stringify(await bench.state("down"));
    const changed = {
      ...down(),
      import: [{ to: "memory_thing.i", id: imported }],
      moved: [{ from: "memory_thing.d", to: "memory_thing.m" }],
      resource: {
        memory_thing: { m: down().resource.memory_thing.d, i: { name: "other", kind: "changed" } },
      },
    };
    await bench.synth({ up: up("up", { kind: "other" }), down: changed }, { down: ["up"] });
    bench.world.fault = (operation, name) => {
      if (operation !== "read" && name === "up") throw new Error("no");
      return undefined;
    };
    const { stacks } = await bench.apply();
    expect(stacks.map(({ complete }) => complete)).toEqual([false, false]);
    expect(JSON.stringify(await bench.state("down"))).toBe(before);
  });

  test("are destroyed in reverse", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    await bench.apply();
    bench.world.takeWrites();
    await bench.apply({ mode: "destroy" });
    expect(bench.world.takeWrites()).toEqual(["delete down", "delete up"]);
  });

  test("keep a declared order without a reference", async () => {
    const plain = (name: string) => ({ resource: { memory_thing: { t: { name } } } });
    await bench.synth({ second: plain("second"), first: plain("first") }, { second: ["first"] });
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["create first", "create second"]);
    await bench.apply({ mode: "destroy" });
    expect(bench.world.takeWrites()).toEqual(["delete second", "delete first"]);
  });

  test("wait for all of a stack that they come after, also if they read its outputs", async () => {
    const after = (name: string, other: string) => ({
      name,
      tags: { id: `\${memory_thing.${other}.id}` },
    });
    const chain = { u: { name: "up" }, v: after("middle", "u"), w: after("last", "v") };
    const stack = { ...up(), resource: { memory_thing: chain } };
    await bench.synth({ down: down(), up: stack }, { down: ["up"] });
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual([
      "create up",
      "create middle",
      "create last",
      "create down",
    ]);
  });

  test("replace and destroy what no other stack needs, though stacks come after it", async () => {
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    await bench.apply();
    const more = { memory_thing: { u: { name: "up" }, more: { name: "more", kind: "a" } } };
    await bench.synth({ up: { ...up(), resource: more }, down: down() }, { down: ["up"] });
    await bench.apply();
    bench.world.takeWrites();
    const other = { memory_thing: { u: { name: "up" }, more: { name: "more", kind: "b" } } };
    await bench.synth({ up: { ...up(), resource: other }, down: down() }, { down: ["up"] });
    const { stacks } = await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["delete more", "create more"]);
    expect(stacks.map(({ complete }) => complete)).toEqual([true, true]);
    await bench.synth({ up: up(), down: down() }, { down: ["up"] });
    await bench.apply();
    expect(bench.world.takeWrites()).toEqual(["delete more"]);
  });

  test("exclude a locked one and its dependents, and leave no lock", async () => {
    await bench.synth({ up: up(), down: down() });
    const holding = await bench.plan({ stacks: ["up"] });
    const { problems } = await bench.planOnly();
    expect(problems).toEqual(["State is locked", "Depends on an excluded stack"]);
    await holding.close();
    expect((await bench.planOnly()).problems).toEqual([]);
  });
});
