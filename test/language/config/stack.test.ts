import { join } from "node:path";
import { readAssembly } from "../../../src/language/config/assembly";
import { readStack } from "../../../src/language/config/stack";
import type { StackConfig } from "../../../src/language/config/stack-config";
import { UNKNOWN } from "../../../src/core/values";
import { formatSubject } from "../../../src/language/expressions/reference";
import { EMPTY_SCOPE, type EvaluationScope } from "../../../src/language/expressions/scope";

/** Two small stacks synthesized by cdktf 0.21, one with a reference to the other. */
const fixture = join(__dirname, "fixtures/two-stacks");

const names = ["a", "b"];
const scope: EvaluationScope = {
  ...EMPTY_SCOPE,
  countIndex: 1,
  variable: () => names,
  local: () => ({ x: "a-b", n: 3 }),
  resource: (mode, type, name) => {
    if (mode === "data") return { outputs: UNKNOWN };
    return name === "each" ? { a: { id: "1" }, b: { id: "2" } } : undefined;
  },
};

describe("a stack as cdktf synthesizes it", () => {
  let config: StackConfig;
  beforeAll(async () => {
    const { assembly } = await readAssembly(fixture);
    const read = await readStack(
      assembly!.stacks.find(({ name }) => name === "down")!,
      {},
    );
    expect(read.diagnostics).toEqual([]);
    config = read.config!;
  });

  test("has its settings and providers", () => {
    expect(config.directory).toBe(join(fixture, "stacks/down"));
    expect(config.backend).toEqual({
      type: "local",
      path: "/project/terraform.down.tfstate",
    });
    expect(Object.fromEntries(config.requiredProviders)).toEqual({
      null: {
        source: "null",
        address: "registry.terraform.io/hashicorp/null",
        version: "3.2.4",
      },
      terraform: {
        source: "terraform.io/builtin/terraform",
        address: "terraform.io/builtin/terraform",
        isImplied: true,
      },
    });
    expect([...config.providers.keys()]).toEqual(["null", "null.other"]);
  });

  test("has its variables, locals and outputs", () => {
    expect(config.variables.get("PASSWORD")).toMatchObject({
      type: { kind: "string" },
      sensitive: true,
      ephemeral: true,
      nullable: false,
    });
    expect(config.variables.get("names")?.default).toEqual(["a", "b"]);
    expect(config.variables.get("names")?.validations).toHaveLength(1);
    expect([...config.locals.keys()]).toEqual(["loc"]);
    expect(config.outputs.get("out")).toMatchObject({ sensitive: true, description: "d" });
    expect(config.outputs.get("out")?.dependsOn.map((r) => formatSubject(r.subject))).toEqual([
      "null_resource.counted",
    ]);
  });

  test("has its resources with their meta-arguments", () => {
    expect([...config.resources.keys()]).toEqual([
      "null_resource.counted",
      "null_resource.each",
      "null_resource.map",
    ]);
    const counted = config.resources.get("null_resource.counted")!;
    expect(counted.where).toEqual({
      address: "null_resource.counted",
      constructPath: "down/counted",
      path: [],
    });
    expect([...counted.body.keys()]).toEqual(["triggers"]);
    expect(counted.count?.isLiteral).toBe(true);
    expect(counted.dependsOn.map((r) => formatSubject(r.subject))).toEqual(["null_resource.each"]);
    expect(counted.provider).toEqual({ name: "null" });
    expect(counted.lifecycle).toMatchObject({
      createBeforeDestroy: true,
      preventDestroy: false,
      ignoreChanges: [["triggers"]],
    });
    expect(counted.lifecycle.replaceTriggeredBy.map((r) => formatSubject(r.subject))).toEqual([
      "null_resource.each",
    ]);
    expect(counted.lifecycle.preconditions).toHaveLength(1);
    const each = config.resources.get("null_resource.each")!;
    expect(each.forEach?.references().map((r) => formatSubject(r.subject))).toEqual(["var.names"]);
    expect(each.provider).toEqual({ name: "null", alias: "other" });
  });

  test("has expressions that can be evaluated", () => {
    const counted = config.resources.get("null_resource.counted")!;
    expect(counted.body.get("triggers")!.evaluate(scope)).toEqual({
      diagnostics: [],
      value: {
        cond: "y",
        first: "a",
        i: 1,
        j: '{"a":[1,"b",{"c":{"n":3,"x":"a-b"}}]}',
        l: "a-b",
        s: 3,
      },
    });
    expect(config.outputs.get("out")!.value.evaluate(scope)).toEqual({
      diagnostics: [],
      value: {
        a: { a: { id: "1" }, b: { id: "2" } },
        b: "1",
        m: { a: 1, b: UNKNOWN },
        r: "a-b",
        raw: '${x} \\"q\\"',
        u: "X",
      },
    });
    expect(config.locals.get("loc")!.evaluate(scope).value).toEqual({
      n: 3,
      q: 'say "hi" ${not}\n\\ end',
      x: "a-b",
    });
  });

  test("has its local-exec provisioners", () => {
    const [provisioner, ...others] = config.resources.get("null_resource.counted")!.provisioners;
    expect(others).toEqual([]);
    expect(provisioner).toMatchObject({ when: "destroy", onFailure: "fail" });
    expect(provisioner!.command.references()).toEqual([
      { subject: { kind: "self" }, path: ["id"], indexed: false },
    ]);
    expect(provisioner!.environment?.isLiteral).toBe(true);
  });

  test("reads the other stack's outputs by a data source", () => {
    const up = config.dataSources.get(
      "data.terraform_remote_state.cross-stack-reference-input-up",
    )!;
    expect([...up.body.keys()]).toEqual(["backend", "config", "workspace"]);
    const triggers = config.resources.get("null_resource.each")!.body.get("triggers")!;
    expect(triggers.references()).toContainEqual({
      subject: {
        kind: "resource",
        mode: "data",
        type: "terraform_remote_state",
        name: "cross-stack-reference-input-up",
      },
      path: ["outputs", "cross-stack-output-null_resourceupid"],
      indexed: false,
    });
  });
});
