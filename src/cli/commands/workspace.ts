import { Option } from "commander";
import { command, group } from "../command-line/command";
import { appOptions } from "../command-line/options";

const options = [...appOptions, new Option("--stack <name>", "name of the stack")];
const load = () => import("../actions/stacks/index.js");

const list = command({
  name: "list",
  summary: "List the workspaces of a stack",
  examples: ["workspace list"],
  options,
  action: async () => (await load()).workspaceList,
});

const show = command({
  name: "show",
  summary: "Show the name of the selected workspace",
  examples: ["workspace show"],
  options,
  action: async () => (await load()).workspaceShow,
});

const select = command({
  name: "select",
  summary: "Select another workspace",
  examples: ["workspace select staging"],
  arguments: { "<name>": "name of the workspace" },
  options: [...options, new Option("--or-create", "create the workspace if it does not exist")],
  action: async () => (await load()).workspaceSelect,
});

const create = command({
  name: "new",
  summary: "Create a workspace and select it",
  examples: ["workspace new staging"],
  arguments: { "<name>": "name of the workspace" },
  options,
  action: async () => (await load()).workspaceNew,
});

const remove = command({
  name: "delete",
  summary: "Delete a workspace",
  examples: ["workspace delete staging"],
  arguments: { "<name>": "name of the workspace" },
  options: [
    ...options,
    new Option("--force", "delete the workspace even if its state has resources"),
  ],
  action: async () => (await load()).workspaceDelete,
});

export const workspaces = group("workspace", "Manage the workspaces of a stack", [
  list,
  show,
  select,
  create,
  remove,
]);
