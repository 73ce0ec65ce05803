import { formatPath } from "../../../src/core/diagnostics";
import { Bench, type StackJson } from "../engine/bench";

describe("validation", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
  });
  afterEach(() => bench.close());

  /** `address.path: summary`, and that no console was asked for anything. */
  const problemsOf = async (main: StackJson) => {
    await bench.synth({ main });
    const { session } = await bench.planOnly();
    expect(bench.world.calls).toEqual([]);
    return session.diagnostics.map(
      ({ address, path, summary }) =>
        `${address ?? ""}${path?.length ? ` ${formatPath(path)}` : ""}: ${summary}`,
    );
  };
  const thing = (body: object, more: StackJson = {}) => ({
    ...more,
    resource: { memory_thing: { a: body } },
  });

  test("reports all errors together", async () => {
    expect(
      await problemsOf({
        variable: { unset: { type: "string" } },
        provider: { memory: { wrld: "x" } },
        resource: {
          memory_thing: {
            a: { nme: "a", size: "big", parts: [{ label: "x", activ: true }, { label: [] }] },
            b: { name: "${memory_thing.c.id}", tags: { x: "${memory_thing.a.idd}" } },
            d: { name: "forbidden", depends_on: ["memory_thing.nothing"] },
          },
          memory_thig: { e: {} },
          aws_s3_bucket: { f: {} },
        },
        data: { memory_reding: { g: {} } },
        output: { o: { value: "${memory_thing.a.nothing}" } },
      }),
    ).toEqual(
      expect.arrayContaining([
        "var.unset: No value for required variable",
        "provider.memory wrld: Unsupported argument",
        "memory_thing.a nme: Unsupported argument",
        "memory_thing.a size: Incorrect attribute value type",
        "memory_thing.a parts[0].activ: Unsupported argument",
        "memory_thing.a parts[1].label: Incorrect attribute value type",
        "memory_thing.a name: Missing required argument",
        "memory_thing.b name: Reference to undeclared resource",
        "memory_thing.b tags.x: Unsupported attribute",
        "memory_thing.d name: Forbidden name",
        "memory_thing.d depends_on: Reference to undeclared resource",
        "memory_thig.e: Invalid resource type",
        "aws_s3_bucket.f: Provider not supported",
        "data.memory_reding.g: Invalid data source",
        "output.o value: Unsupported attribute",
      ]),
    );
  });

  test("suggests a name, and names the construct", async () => {
    await bench.synth({
      main: thing({ nam: "a", "//": { metadata: { path: "main/Thing", uniqueId: "a" } } }),
    });
    const { session } = await bench.planOnly();
    expect(session.diagnostics).toMatchObject([
      {
        constructPath: "main/Thing",
        detail: expect.stringContaining('Did you mean "name"?') as string,
      },
      { constructPath: "main/Thing", summary: "Missing required argument" },
    ]);
  });

  test("reports that Terraform can run what this executor cannot", async () => {
    await bench.synth({ main: { resource: { aws_s3_bucket: { f: {} } } } });
    const { session } = await bench.planOnly();
    expect(session.diagnostics[0]?.detail).toMatch(
      /^The stack uses the provider registry\.terraform\.io\/hashicorp\/aws\. .*Terraform can run the stack\.$/,
    );
  });

  test("reports a cycle as a path", async () => {
    await bench.synth({
      main: {
        locals: { l: "${memory_thing.b.id}" },
        resource: {
          memory_thing: { a: { name: "${local.l}" }, b: { name: "${memory_thing.a.id}" } },
        },
      },
    });
    const { session } = await bench.planOnly();
    expect(session.diagnostics).toHaveLength(1);
    expect(session.diagnostics[0]?.detail).toContain(
      "memory_thing.a → local.l → memory_thing.b → memory_thing.a",
    );
  });

  test.each([
    [
      "a resource",
      thing({ name: "${memory_thing.a.id}" }),
      "memory_thing.a: Self-referential block",
    ],
    ["a local", { locals: { l: "${local.l}" } }, "local.l: Cycle"],
  ])("%s that refers to itself", async (_, main, problem) => {
    expect(await problemsOf(main)).toEqual([problem]);
  });

  const SECRET = { variable: { S: { type: "string", ephemeral: true, default: "s" } } };
  test.each([
    [
      "a plain attribute",
      thing({ name: "${var.S}" }, SECRET),
      ["memory_thing.a name: Invalid use of ephemeral value"],
    ],
    [
      "inside a nested one",
      thing({ name: "a", tags: { x: "-${var.S}" } }, SECRET),
      ["memory_thing.a tags.x: Invalid use of ephemeral value"],
    ],
    [
      "an output",
      { ...SECRET, output: { o: { value: "${var.S}" } } },
      ["output.o: Ephemeral value not allowed"],
    ],
    [
      "count",
      thing({ name: "a", count: "${length(var.S)}" }, SECRET),
      ["memory_thing.a: Invalid count argument"],
    ],
    ["a write-only attribute", thing({ name: "a", secret: "${var.S}" }, SECRET), []],
    [
      "provider configuration",
      { ...thing({ name: "a" }, SECRET), provider: { memory: { token: "${var.S}" } } },
      [],
    ],
  ])("an ephemeral value in %s", async (_, main, problems) => {
    expect((await problemsOf(main)).map((one) => one.replace(/ (value|count):/, ":"))).toEqual(
      problems,
    );
  });

  test("allows sensitive values in sensitive outputs only", async () => {
    const output = (sensitive: boolean) => ({
      ...thing({ name: "a", note: "n" }),
      output: { o: { value: { note: "${memory_thing.a.note}" }, sensitive } },
    });
    expect(await problemsOf(output(false))).toEqual([
      "output.o: Output refers to sensitive values",
    ]);
    expect(await problemsOf(output(true))).toEqual([]);
  });

  test.each([
    [">= 1.11", []],
    ["~> 1.11", []],
    ["~> 1.11.0", []],
    [">= 1.5, < 2.0", []],
    ["< 1.11", ["terraform.required_version: Unsupported Terraform Core version"]],
    ["~> 1.5.0", ["terraform.required_version: Unsupported Terraform Core version"]],
    [">= 2", ["terraform.required_version: Unsupported Terraform Core version"]],
    ["soon", ["terraform.required_version: Invalid version constraint"]],
  ])("required_version = %j", async (constraint, problems) => {
    expect(await problemsOf({ terraform: { required_version: constraint } })).toEqual(problems);
  });

  test("checks attributes of repeated resources, and references that are not evaluated", async () => {
    expect(
      await problemsOf({
        resource: {
          memory_thing: {
            a: { name: "a", count: 1 },
            b: { name: "${memory_thing.a[0].idd}" },
            c: {
              name: "c",
              lifecycle: { replace_triggered_by: ["memory_thing.x"], ignore_changes: ["nme"] },
            },
          },
        },
      }),
    ).toEqual([
      "memory_thing.c lifecycle.replace_triggered_by: Reference to undeclared resource",
      "memory_thing.c lifecycle.ignore_changes: Unsupported attribute",
      "memory_thing.b name: Unsupported attribute",
    ]);
  });

  test("limits the references of destroy-time provisioners", async () => {
    expect(
      await problemsOf({
        resource: {
          memory_thing: { a: { name: "a" } },
          null_resource: {
            n: {
              provisioner: [{ "local-exec": { when: "destroy", command: "${memory_thing.a.id}" } }],
            },
          },
        },
      }),
    ).toEqual([
      "null_resource.n provisioner[0].local-exec: Invalid reference from destroy provisioner",
    ]);
  });

  test("reports stacks that come after each other, by declarations and outputs", async () => {
    const { resource } = thing({ name: "a" });
    const read = { backend: "local", config: { path: bench.statePath("main") } };
    await bench.synth(
      {
        main: { resource, output: { id: { value: "${memory_thing.a.id}" } } },
        reader: {
          data: { terraform_remote_state: { main: read } },
          output: { id: { value: "${data.terraform_remote_state.main.outputs.id}" } },
        },
      },
      { main: ["reader"] },
    );
    const { problems, session } = await bench.planOnly();
    expect(problems).toEqual(["Cycle between stacks"]);
    expect(session.plans).toEqual([]);
  });
});
