import { Option } from "commander";
import { command, group, type CommandDefinition } from "../command-line/command";
import { dryRunOption, missingOption, stackOptions } from "../command-line/options";

const actions = () => import("../actions/stacks/index.js");

export const stateCommands: readonly CommandDefinition[] = [
  group("state", "Inspect and modify the state", [
    command({
      name: "list",
      summary: "List resource instances in the state",
      examples: ["state list"],
      arguments: { "[addresses...]": "resources or instances to list (default: all)" },
      options: stackOptions,
      action: async () => (await actions()).stateList,
    }),
    command({
      name: "show",
      summary: "Show one resource instance in the state",
      examples: ["state show cwp_license.license"],
      arguments: { "<address>": "address of the resource instance" },
      options: stackOptions,
      action: async () => (await actions()).stateShow,
    }),
    command({
      name: "rm",
      summary: "Remove instances from the state and leave them on their console",
      examples: ["state rm cwp_license.license"],
      arguments: { "<addresses...>": "addresses of resources or instances" },
      options: [...stackOptions, dryRunOption],
      action: async () => (await actions()).stateRemove,
    }),
    command({
      name: "mv",
      summary: "Move an item in the state to another address",
      examples: [
        "state mv cwp_license.old cwp_license.new",
        "state mv null_resource.gate 'null_resource.gates[0]'",
      ],
      arguments: {
        "<source>": "address of an instance, or of a resource with all its instances",
        "<destination>": "new address",
      },
      options: [...stackOptions, dryRunOption],
      action: async () => (await actions()).stateMove,
    }),
  ]),
  command({
    name: "taint",
    summary: "Mark a resource instance for replacement by the next apply",
    examples: ["taint cwp_container_scan.scan"],
    arguments: { "<address>": "address of the resource instance" },
    options: [...stackOptions, missingOption],
    action: async () => (await actions()).taint,
  }),
  command({
    name: "untaint",
    summary: "Remove the tainted mark from a resource instance",
    examples: ["untaint cwp_container_scan.scan"],
    arguments: { "<address>": "address of the resource instance" },
    options: [...stackOptions, missingOption],
    action: async () => (await actions()).untaint,
  }),
  command({
    name: "force-unlock",
    summary: "Release a stuck lock on the state of a stack",
    examples: ["force-unlock 4c7b929d-45e1-c8cd-3976-c8ca57584107"],
    arguments: { "<id>": "ID of the lock, as the lock error reports it" },
    options: [...stackOptions, new Option("--force", "skip interactive confirmation")],
    action: async () => (await actions()).forceUnlock,
  }),
];
