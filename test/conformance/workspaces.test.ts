import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";
import type { World } from "./support/world";

const select = (workspace: string) => (world: World) => {
  world.select(workspace);
  return undefined;
};

const STACK = {
  ...stackOf({
    null_resource: {
      a: { triggers: { workspace: "${terraform.workspace}" } },
      b: { count: '${terraform.workspace == "stage" ? 2 : 0}' },
    },
  }),
  output: { workspace: { value: "${terraform.workspace}" } },
};

describeWithTerraform("both engines keep the states of workspaces apart", () => {
  conforms("that Terraform has selected", [
    {
      does: "creates the objects of the default workspace",
      stack: STACK,
      plans: ["null_resource.a create", "output.workspace create"],
    },
    {
      does: "creates those of another workspace, which has no state",
      before: select("stage"),
      plans: [
        "null_resource.a create",
        "null_resource.b[0] create",
        "null_resource.b[1] create",
        "output.workspace create",
      ],
    },
    { does: "finds no changes there", plans: [] },
    {
      does: "changes its state by a command",
      commands: ["state rm null_resource.b[1]"],
      plans: ["null_resource.b[1] create"],
    },
    {
      does: "destroys its objects only",
      request: { mode: "destroy" },
      plans: [
        "null_resource.a delete",
        "null_resource.b[0] delete",
        "null_resource.b[1] delete",
        "output.workspace delete",
      ],
    },
    { does: "finds those of the default workspace", before: select("default"), plans: [] },
  ]);
});
