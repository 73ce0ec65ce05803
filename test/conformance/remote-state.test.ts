import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { FOLDER, stackOf } from "./support/stacks";
import type { World } from "./support/world";

/** Writes the states of another stack in two workspaces, with the name of the workspace as output. */
function writeStates({ folder }: World): undefined {
  const states = {
    default: "up/terraform.tfstate",
    stage: "up/spaces/stage/terraform.tfstate",
    blue: "up/spaces/blue/terraform.tfstate",
  };
  for (const [workspace, path] of Object.entries(states)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const outputs = { name: { value: workspace, type: "string" } };
    const state = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "up", outputs };
    writeFileSync(file, JSON.stringify({ ...state, resources: [] }));
  }
}

const reading = (more: object) => ({
  backend: "local",
  config: { path: `${FOLDER}/up/terraform.tfstate`, workspace_dir: `${FOLDER}/up/spaces` },
  ...more,
});

const stack = (dataSource: object, value: string) =>
  stackOf(
    { null_resource: { a: { triggers: { value } } } },
    {
      variable: { names: { type: "set(string)", default: ["stage", "blue"] } },
      locals: { workspace: '${join("", ["sta", "ge"])}' },
      data: { terraform_remote_state: { up: dataSource } },
    },
  );

const step = (does: string, dataSource: object, value: string) => ({
  does,
  before: writeStates,
  stack: stack(reading(dataSource), `\${${value}}`),
});

const UP = "data.terraform_remote_state.up";
const REPLACED = ["null_resource.a delete create"];

describeWithTerraform("both engines read the state of another stack", () => {
  conforms("in a workspace", [
    {
      ...step("reads the default one", {}, `${UP}.outputs.name`),
      plans: ["null_resource.a create"],
    },
    {
      ...step("reads the named one", { workspace: "stage" }, `${UP}.outputs.name`),
      plans: REPLACED,
    },
    {
      ...step("takes an empty name for default", { workspace: "" }, `${UP}.outputs.name`),
      plans: REPLACED,
    },
    {
      ...step("evaluates a local", { workspace: "${local.workspace}" }, `${UP}.outputs.name`),
      plans: REPLACED,
    },
  ]);

  conforms("by several instances", [
    {
      ...step(
        "reads one by key",
        { for_each: "${var.names}", workspace: "${each.key}" },
        `join(",", [for key, one in ${UP} : "\${key}=\${one.outputs.name}"])`,
      ),
      plans: ["null_resource.a create"],
    },
    {
      ...step(
        "reads one by number",
        { count: 2, workspace: '${count.index == 0 ? "blue" : ""}' },
        `join(",", ${UP}[*].outputs.name)`,
      ),
      plans: REPLACED,
    },
    {
      ...step("reads none", { count: 0, workspace: "nowhere" }, `length(${UP})`),
      plans: REPLACED,
    },
    {
      ...step(
        "merges the defaults of an instance",
        { count: 1, defaults: { name: "none", more: "${count.index + 1}" } },
        `"\${${UP}[0].outputs.name}\${${UP}[0].outputs.more}"`,
      ),
      plans: REPLACED,
    },
  ]);
});
