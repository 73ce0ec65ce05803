import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { Bench, type StackJson } from "../engine/bench";

/** The same stack for both: of `memory_thing` here, of `terraform_data` there. */
type Stack = StackJson & { resource: { thing: StackJson } };

const THINGS = {
  base: { input: "base" },
  mid: { input: "${thing.base.id}" },
  top: { input: "${thing.mid.id}" },
  many: { input: "${tostring(count.index)}", count: 3 },
  each: { input: "${each.key}", for_each: { a: 1, b: 2 } },
  alone: { input: "alone" },
};
const OUTPUT = {
  mid: { value: "${thing.mid.id}" },
  both: { value: "${thing.mid.id} ${thing.alone.id}" },
};
const FIRST: Stack = { resource: { thing: THINGS }, output: OUTPUT };

function spelled(stack: Stack, type: string, argument: string): StackJson {
  const text = JSON.stringify(stack)
    .replaceAll("thing.", `${type}.`)
    .replaceAll('"thing"', JSON.stringify(type))
    .replaceAll('"input"', JSON.stringify(argument));
  return JSON.parse(text) as StackJson;
}

describeWithTerraform("what is planned is what Terraform plans", () => {
  let bench: Bench;
  let folder: string;

  beforeAll(async () => {
    bench = await Bench.open();
    folder = mkdtempSync(join(tmpdir(), "terraform-plans-"));
    await write(FIRST);
    terraform(["init"], { cwd: folder });
    await bench.apply();
    terraform(["apply", "-auto-approve"], { cwd: folder });
  });
  afterAll(async () => {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function write(stack: Stack): Promise<void> {
    await bench.synth({ main: spelled(stack, "memory_thing", "name") });
    writeFileSync(
      join(folder, "main.tf.json"),
      JSON.stringify(spelled(stack, "terraform_data", "input")),
    );
  }

  /** `ADDRESS ACTION [FROM]`, sorted, as in Terraform's stream. */
  function byTerraform(options: readonly string[]): string[] {
    const lines = terraform(["plan", "-json", ...options], { cwd: folder })
      .trim()
      .split("\n");
    return lines
      .map((line) => JSON.parse(line) as TerraformLine)
      .flatMap(({ type, change }) => {
        if (type !== "planned_change" || !change) return [];
        const { action, resource, previous_resource: previous } = change;
        const described = [resource.addr, action, ...(previous ? [previous.addr] : [])].join(" ");
        return [described.replaceAll("terraform_data.", "thing.")];
      })
      .sort();
  }

  const ACTIONS: Readonly<Record<string, string>> = {
    "delete-then-create": "replace",
    forget: "remove",
  };

  async function byUs(options: Parameters<Bench["plan"]>[0]): Promise<string[]> {
    const { session } = await bench.planOnly(options);
    return session.plans
      .flatMap(({ changes }) => changes)
      .filter(({ action, previousAddress }) => action !== "no-op" || previousAddress !== undefined)
      .map(({ address, action, previousAddress }) => {
        const described = action === "no-op" ? "move" : (ACTIONS[action] ?? action);
        const from = previousAddress === undefined ? [] : [previousAddress];
        return [address, described, ...from].join(" ").replaceAll("memory_thing.", "thing.");
      })
      .sort();
  }

  const CHANGED: Stack = {
    resource: {
      thing: {
        ...THINGS,
        base: { input: "b2" },
        many: { input: "new ${count.index}", count: 2 },
        alone: { input: "a2" },
      },
    },
  };

  test.each<[string, Stack, string[], boolean]>([
    ["a resource", CHANGED, ["thing.alone"], false],
    ["one with what it depends on", CHANGED, ["thing.top"], false],
    ["an instance", CHANGED, ["thing.many[1]"], false],
    ["all instances, and those that go", CHANGED, ["thing.many"], false],
    ["two at once", CHANGED, ["thing.many[2]", "thing.base"], false],
    ["a module that is not there", CHANGED, ["module.none"], false],
    ["a destroy of what others depend on", FIRST, ["thing.base"], true],
    ["a destroy of an instance", FIRST, ['thing.each["a"]'], true],
  ])("targets: %s", async (_, stack, targets, destroy) => {
    await write(stack);
    const options = targets.map(
      (target) => `-target=${target.replace("thing.", "terraform_data.")}`,
    );
    const ours = targets.map((target) => target.replace("thing.", "memory_thing."));
    expect(await byUs({ targets: ours, mode: destroy ? "destroy" : "normal" })).toEqual(
      byTerraform(destroy ? [...options, "-destroy"] : options),
    );
  });

  const moved = (things: StackJson, ...moves: [string, string][]): Stack => ({
    resource: { thing: things },
    moved: moves.map(([from, to]) => ({ from: `thing.${from}`, to: `thing.${to}` })),
  });
  const { alone, many, each, ...chain } = THINGS;

  test.each<[string, Stack]>([
    ["a resource", moved({ ...chain, many, each, other: alone }, ["alone", "other"])],
    ["a chain of moves", moved({ ...chain, many, each, c: alone }, ["b", "c"], ["alone", "b"])],
    [
      "a resource with its instances",
      moved({ ...chain, each, alone, more: many }, ["many", "more"]),
    ],
    [
      "indices to keys",
      moved(
        {
          ...chain,
          each,
          alone,
          many: { input: "${each.value}", for_each: { x: "0", y: "1", z: "2" } },
        },
        ["many[0]", 'many["x"]'],
        ["many[1]", 'many["y"]'],
        ["many[2]", 'many["z"]'],
      ),
    ],
    ["to where something is", moved({ ...chain, many, each }, ["alone", 'each["a"]'])],
    ["to nowhere", moved({ ...chain, many, each }, ["alone", "gone"])],
    ["count that comes", moved({ ...chain, many, each, alone: { ...alone, count: 2 } })],
    [
      "what is forgotten",
      {
        ...moved({ ...chain, many, alone }),
        removed: [{ from: "thing.each", lifecycle: { destroy: false } }],
      },
    ],
  ])("moves: %s", async (_, stack) => {
    await write(stack);
    expect(await byUs({})).toEqual(byTerraform([]));
  });
});

interface TerraformLine {
  readonly type: string;
  readonly change?: {
    readonly action: string;
    readonly resource: { readonly addr: string };
    readonly previous_resource?: { readonly addr: string };
  };
}
