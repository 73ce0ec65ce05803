import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { Bench } from "../engine/bench";

/**
 * A stack of the resource `a`, which changes, the resource `b`, which depends on `a` and does not
 * change, and data sources that depend on them in all ways. Written for the memory provider, or for
 * Terraform's built-in provider.
 */
interface Words {
  readonly resource: string;
  readonly data: string;
  /** Attributes of `a` and `b` that are known even if `a` changes. */
  readonly a: string;
  readonly b: string;
  /** The body of a data source. */
  readonly known: string;
  readonly take: (expression: string) => object;
  readonly bodies: (version: number) => { a: object; b: object };
}

const MEMORY: Words = {
  resource: "memory_thing",
  data: "memory_reading",
  a: "memory_thing.a.name",
  b: "memory_thing.b.name",
  known: "a",
  take: (name) => ({ name }),
  bodies: (size) => ({ a: { name: "a", size }, b: { name: "b" } }),
};

const BUILT_IN: Words = {
  resource: "terraform_data",
  data: "terraform_remote_state",
  a: "terraform_data.a.input.path",
  b: "terraform_data.b.input",
  known: "other.tfstate",
  take: (path) => ({ backend: "local", config: { path } }),
  bodies: (version) => ({ a: { input: { path: "other.tfstate", version } }, b: { input: "b" } }),
};

function stack({ resource, data, a, b, known, take, bodies }: Words, version: number) {
  const one = bodies(version);
  const condition = (expression: string) => [
    { condition: `\${${expression} != ""}`, error_message: "Not met." },
  ];
  const reads = take(known);
  return {
    resource: { [resource]: { a: one.a, b: { ...one.b, depends_on: [`${resource}.a`] } } },
    locals: { of_a: `\${${a}}`, of_b: `\${${b} == "b" ? "${known}" : ""}` },
    data: {
      [data]: {
        independent: reads,
        explicit: { ...reads, depends_on: [`${resource}.a`] },
        reference: take(`\${${a}}`),
        counted: { ...reads, count: `\${${a} == "" ? 0 : 1}` },
        explicit_through_resource: { ...reads, depends_on: [`${resource}.b`] },
        reference_through_local: take("${local.of_a}"),
        explicit_through_local: { ...reads, depends_on: ["local.of_a"] },
        explicit_through_local_and_resource: { ...reads, depends_on: ["local.of_b"] },
        explicit_through_data: { ...reads, depends_on: [`data.${data}.explicit`] },
        conditioned: { ...reads, lifecycle: { precondition: condition(a) } },
        conditioned_through_resource: {
          ...take("${local.of_b}"),
          lifecycle: { postcondition: condition("local.of_b") },
        },
      },
    },
  };
}

const DEFERRED = [
  "conditioned",
  "conditioned_through_resource",
  "counted",
  "explicit",
  "explicit_through_local",
  "explicit_through_local_and_resource",
  "reference",
];

describe("data sources that a changed resource defers", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  test("are those that refer to it directly, and those with conditions", async () => {
    await bench.synth({ main: { ...stack(MEMORY, 1), data: {} } });
    await bench.apply();
    await bench.synth({ main: stack(MEMORY, 1) });
    expect(await bench.planOnly()).toMatchObject({ plan: [], problems: [] });
    await bench.synth({ main: stack(MEMORY, 2) });
    const { plan } = await bench.planOnly();
    const pending = "read read_because_dependency_pending";
    expect(plan).toEqual([
      ...DEFERRED.map((name) =>
        name === "counted"
          ? `data.memory_reading.counted[0] ${pending}`
          : `data.memory_reading.${name} ${pending}`,
      ),
      "memory_thing.a update",
    ]);
  });

  test("are errors otherwise, if the provider is not configured yet", async () => {
    const reads = { provider: "memory.later", name: "a" };
    const later = (data: object) => ({
      provider: { memory: [{}, { alias: "later", world: "${memory_thing.a.id}" }] },
      resource: { memory_thing: { a: { name: "a" } } },
      data: { memory_reading: { r: data } },
    });
    await bench.synth({ main: later(reads) });
    expect((await bench.planOnly()).problems).toEqual([
      "data.memory_reading.r: Data source cannot be read yet",
    ]);
    await bench.synth({ main: later({ ...reads, depends_on: ["memory_thing.a"] }) });
    expect(await bench.planOnly()).toMatchObject({
      plan: ["data.memory_reading.r read read_because_dependency_pending", "memory_thing.a create"],
      problems: [],
    });
  });
});

describeWithTerraform("data sources under Terraform", () => {
  test("are deferred alike", () => {
    const cwd = mkdtempSync(join(tmpdir(), "deferral-"));
    try {
      const synth = (version: number) => {
        writeFileSync(join(cwd, "stack.tf.json"), JSON.stringify(stack(BUILT_IN, version)));
      };
      const other = { version: 4, serial: 1, lineage: "other", outputs: {}, resources: [] };
      writeFileSync(join(cwd, "other.tfstate"), JSON.stringify(other));
      synth(1);
      terraform(["init", "-no-color"], { cwd });
      terraform(["apply", "-auto-approve", "-no-color"], { cwd });
      synth(2);
      const plan = terraform(["plan", "-no-color"], { cwd });
      const read = plan.matchAll(/# data\.terraform_remote_state\.(\w+)\S* will be read during/g);
      expect([...read].map(([, name]) => name)).toEqual(DEFERRED);
      expect(plan).toContain("(depends on a resource or a module with changes pending)");
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });
});
