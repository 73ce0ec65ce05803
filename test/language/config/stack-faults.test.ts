import { parseStack } from "../../../src/language/config/stack";

async function faults(json: unknown) {
  const { config, diagnostics } = await parseStack(json, {
    name: "s",
    directory: "/s",
    workspace: "default",
  });
  expect(config).toBeUndefined();
  return diagnostics.map((d) => `${d.address} ${d.path?.join(".") ?? ""}: ${d.summary}`);
}

const metadata = { "//": { metadata: { path: "s/a", uniqueId: "a" } } };
const resource = (body: object) => ({
  resource: { null_resource: { a: { ...metadata, ...body } } },
});

describe("a stack that cannot be run", () => {
  test.each<[unknown, readonly string[]]>([
    [[1], ["s : Incorrect value type"]],
    [{ resorce: {} }, ["resorce undefined: Unsupported block type"]],
    [{ module: { m: {}, n: {} } }, ["module.m", "module.n"].map((m) => `${m} : Unsupported block`)],
    [
      { action: { t: { a: {}, b: [{}] } } },
      ["action.t.a", "action.t.b"].map((a) => `${a} : Unsupported block`),
    ],
    [{ action: [1] }, ["action: Incorrect value type"]],
    [{ action: { t: 1 } }, ["action t: Incorrect value type"]],
    [
      { moved: [{}] },
      ["moved[0] from: Missing required argument", "moved[0] to: Missing required argument"],
    ],
    [{ moved: { from: "a.b[each.key]", to: "a.c" } }, ["moved[0] from: Invalid expression"]],
    [{ moved: { from: "a.b", to: "data.a.c" } }, ['moved[0] : Invalid "moved" addresses']],
    [
      { removed: [{ from: "a.b[0]" }, { from: "data.a.b" }] },
      [
        "removed[0] from: Resource instance keys not allowed",
        "removed[1] from: Data source address not allowed",
      ],
    ],
    [
      { removed: { from: "a.b", lifecycle: { destroy: "no", prevent_destroy: true } } },
      [
        "removed[0] lifecycle.0.destroy: Incorrect value type",
        "removed[0] lifecycle.0.prevent_destroy: Unsupported argument",
      ],
    ],
    [{ moved: [{ from: "local.a", to: "a.b" }] }, ["moved[0]: Invalid address"]],
    [{ moved: [{ from: "a.b", to: "var.a" }] }, ["moved[0]: Invalid address"]],
    [{ import: [{ to: "a.b[local.k]", id: "x" }] }, ["import[0] to: Invalid expression"]],
    [{ import: [{ to: "a.b[[var.v][0]]", id: "x" }] }, ["import[0] to: Invalid expression"]],
    [{ import: [{ to: 'a.b[upper("a")]', id: "x" }] }, ["import[0] to: Invalid expression"]],
    [{ import: [{ to: "data.a.b", id: "x" }] }, ["import[0] to: Invalid import address"]],
    [{ import: [{ to: "a b", id: "x" }] }, ["import[0] to: Invalid expression"]],
    [{ import: [{ to: "a.b" }] }, ["import[0] id: Missing required argument"]],
    [
      { import: [{ to: "a.b", id: "x", provider: "a.eu" }] },
      ["import[0] provider: Invalid import provider argument"],
    ],
    [
      { ephemeral: { x: { y: { lifecycle: { ignore_changes: "all" } } } } },
      ["ephemeral.x.y lifecycle.ignore_changes: Unsupported argument"],
    ],
    [
      { output: { o: { value: 1, ephemeral: true } } },
      ["output.o ephemeral: Ephemeral output not allowed"],
    ],
    [{ terraform: { required: 1 } }, ["terraform required: Unsupported argument"]],
    [{ output: { o: {} } }, ["output.o value: Missing required argument"]],
    [
      { output: { o: { value: 1, sensitive: "maybe", x: 1 } } },
      ["output.o sensitive: Incorrect value type", "output.o x: Unsupported argument"],
    ],
    [{ variable: { v: { type: "strin" } } }, ["var.v type: Invalid type specification"]],
    [{ variable: { v: { type: "${string}" } } }, ["var.v type: Invalid type specification"]],
    [{ variable: { v: { sensitive: null } } }, ["var.v sensitive: Incorrect value type"]],
    [
      { variable: { v: { type: "list(number)", default: ["x"] } } },
      ["var.v default.0: Invalid default value for variable"],
    ],
    [
      { variable: { v: { nullable: false, default: null } } },
      ["var.v default: Invalid default value for variable"],
    ],
    [
      { variable: { v: { validation: { condition: "${1 == 2}", error_message: "x" } } } },
      [
        "var.v validation.0.condition: Invalid validation expression",
        "var.v validation.0.condition: Invalid variable validation condition",
      ],
    ],
    [{ provider: { null: [{}, {}] } }, ["provider.null : Duplicate provider configuration"]],
    [
      resource({ count: 1, for_each: {} }),
      ['null_resource.a for_each: Invalid combination of "count" and "for_each"'],
    ],
    [resource({ connection: {} }), ["null_resource.a connection: Unsupported block"]],
    [
      resource({ provisioner: [{ "remote-exec": {} }, { "local-exec": {} }] }),
      [
        "null_resource.a provisioner.0.remote-exec: Unsupported provisioner",
        "null_resource.a provisioner.1.local-exec.command: Missing required argument",
      ],
    ],
    [resource({ dynamic: {} }), ["null_resource.a dynamic: Unsupported block"]],
    [
      resource({ depends_on: ["a b", "x"] }),
      [
        "null_resource.a depends_on.0: Invalid expression",
        "null_resource.a depends_on.1: Invalid reference",
      ],
    ],
    [
      resource({ provider: "a.b.c" }),
      ["null_resource.a provider: Invalid provider configuration reference"],
    ],
    [
      resource({ lifecycle: { prevent_destory: true } }),
      ["null_resource.a lifecycle.prevent_destory: Unsupported argument"],
    ],
    [
      { data: { x_y: { z: { lifecycle: { prevent_destroy: true } } } } },
      ["data.x_y.z lifecycle.prevent_destroy: Unsupported argument"],
    ],
    [
      resource({ lifecycle: { ignore_changes: ["a b"] } }),
      ["null_resource.a lifecycle.ignore_changes.0: Invalid expression"],
    ],
    [resource({ triggers: { a: "${1 +}" } }), ["null_resource.a triggers.a: Invalid expression"]],
  ])("%j", async (json, expected) => {
    const found = await faults(json);
    expect(found.map((line) => line.replace(" : ", ": "))).toEqual(
      expected.map((line) => line.replace(" undefined", "").replace(" : ", ": ")),
    );
  });

  test("reports all errors together, with constructs, or the stack if cdktf names none", async () => {
    const { diagnostics } = await parseStack(
      {
        ...resource({ triggers: { a: "${no_such(1)}" }, lifecycle: { x: 1 } }),
        module: { m: {} },
        provider: { null: { alias: 1 } },
        output: { o: {} },
      },
      { name: "s", directory: "/s", workspace: "default" },
    );
    expect(diagnostics.map(({ address, constructPath }) => [address, constructPath])).toEqual([
      ["module.m", undefined],
      ["provider.null", "s"],
      ["null_resource.a", "s/a"],
      ["null_resource.a", "s/a"],
      ["output.o", "s"],
    ]);
    expect(diagnostics.filter(({ detail }) => detail.includes("Terraform can run"))).toHaveLength(
      2,
    );
  });
});

describe("short and long forms of the same block", () => {
  test("are read alike", async () => {
    const { config, diagnostics } = await parseStack(
      {
        terraform: [{ backend: [{ local: {} }] }],
        resource: {
          null_resource: {
            a: [
              {
                depends_on: ["null_resource.b"],
                provider: "null.eu",
                lifecycle: [{ ignore_changes: "all", create_before_destroy: "true" }],
                provisioner: { "local-exec": [{ command: "x" }, { command: "y" }] },
              },
            ],
          },
        },
      },
      { name: "s", directory: "/s", workspace: "default" },
    );
    expect(diagnostics).toEqual([]);
    expect(config?.backend).toEqual({ type: "local" });
    expect(config?.resources.get("null_resource.a")).toMatchObject({
      dependsOn: [{ subject: { type: "null_resource", name: "b" } }],
      provider: { name: "null", alias: "eu" },
      lifecycle: { ignoreChanges: "all", createBeforeDestroy: true },
      provisioners: [{ when: "create" }, { when: "create" }],
    });
  });

  test("an empty object is a stack with nothing in it", async () => {
    const { config } = await parseStack({}, { name: "s", directory: "/s", workspace: "default" });
    expect(config?.resources.size).toBe(0);
  });
});
