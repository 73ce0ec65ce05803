import { describeWithTerraform } from "../../support/terraform";
import type { StackJson } from "../../cli/stack-files";
import { FOLDER, type App, type Step } from "./app";
import { REFUSALS } from "./refusals";
import { differenceIn } from "./run";

const thing = (input: unknown, more: object = {}): StackJson => ({
  resource: { terraform_data: { t: { input, ...more } } },
  output: { value: { value: "${terraform_data.t.output}" } },
});

/** Stack `b`, which reads `a`. */
const pair = (a: StackJson, b: object = {}): App => ({
  stacks: {
    a,
    b: {
      data: {
        terraform_remote_state: {
          a: { backend: "local", config: { path: `${FOLDER}/terraform.a.tfstate` } },
        },
      },
      resource: {
        terraform_data: { t: { input: "${data.terraform_remote_state.a.outputs.value}", ...b } },
      },
    },
  },
  declared: { b: ["a"] },
  derived: { b: ["a"] },
});

async function refusalsIn(steps: readonly Step[]): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  const difference = await differenceIn(steps, (_, __, refusal) => found.push(refusal));
  expect(difference).toBeUndefined();
  return found;
}

const [INVALID = "", LEFT = "", OTHER = ""] = REFUSALS.map(({ summary }) => summary);

describeWithTerraform("the executor refuses", () => {
  test("all stacks for a mistake in one of them, which Terraform finds when it reaches that", async () => {
    const app = pair(thing("x"), { input: "${local.nowhere}" });
    expect(await refusalsIn([{ app, command: "apply" }])).toEqual([INVALID]);
  });

  test("to leave out a dependent with objects, and destroys it too, or first", async () => {
    const app = pair(thing("x"));
    const destroys: readonly Step[] = [
      { command: "destroy", stacks: ["a"] },
      { command: "destroy", stacks: ["b"] },
      { command: "destroy", stacks: ["a"] },
    ];
    const found = await refusalsIn([{ app, command: "apply" }, ...destroys]);
    expect(found).toEqual([undefined, LEFT, undefined, undefined]);
  });

  test("no destroy of a stack that was never applied, nor the one whose outputs it reads", async () => {
    const app = pair(thing("x"));
    expect(await refusalsIn([{ app, command: "destroy", stacks: ["b"] }])).toEqual([undefined]);
  });

  test("no target that does not need the state of another stack, which does not exist", async () => {
    const app = pair(thing("x"));
    const alone = { null_resource: { alone: {} } };
    const stacks = { ...app.stacks, b: { ...app.stacks.b, resource: alone } };
    const targeted = { stacks: ["b"], targets: ["null_resource.alone"] };
    const steps: readonly Step[] = [
      { app: { ...app, stacks }, command: "apply", ...targeted },
      { command: "plan", stacks: ["b"] },
    ];
    expect(await refusalsIn(steps)).toEqual([undefined, undefined]);
  });

  test("a stack with a file beside it that Terraform merges into its configuration", async () => {
    const merged = JSON.stringify({ resource: { terraform_data: { t: { input: "merged" } } } });
    const app = { ...pair(thing("x")), files: { a: { "override.tf.json": merged } } };
    const steps: readonly Step[] = [{ app, command: "validate" }, { command: "apply" }];
    expect(await refusalsIn(steps)).toEqual([OTHER, OTHER]);
  });

  test("to plan a number of instances that is not known, which a second apply has", async () => {
    const count = "${length(data.terraform_remote_state.a.outputs.value)}";
    const app = pair(thing(["x", "y"]), { count });
    expect(await refusalsIn([{ app, command: "apply" }])).toEqual([undefined]);
  });
});
