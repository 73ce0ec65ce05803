import type { Command } from "commander";
import { define, dryRunOption, missingOption, stackOptions } from "./options";
import type { Run } from "./action";

const commands = () => import("./actions/index.js");

/** What looks into the state of a stack, edits it, and removes its lock. */
export function defineStateCommands(program: Command, run: Run): void {
  const state = program.command("state").description("Looks into the state, and has it forget.");
  define(state, "list", "Lists the objects of the state.", ["state list"], stackOptions)
    .argument("[addresses...]", "only these resources")
    .action(run(async () => (await commands()).state.list));
  define(
    state,
    "show",
    "Shows one object of the state.",
    ["state show cwp_license.license"],
    stackOptions,
  )
    .argument("<address>", "the address of the object")
    .action(run(async () => (await commands()).state.show));
  define(
    state,
    "rm",
    "Forgets objects. They stay on their console.",
    ["state rm cwp_license.license"],
    stackOptions,
  )
    .argument("<addresses...>", "the addresses of the objects")
    .addOption(dryRunOption())
    .action(run(async () => (await commands()).stateRemove));
  define(
    state,
    "mv",
    "Gives an object of the state another address.",
    [
      "state mv cwp_license.old cwp_license.new",
      "state mv null_resource.gate 'null_resource.gates[0]'",
    ],
    stackOptions,
  )
    .argument("<source>", "the address of the object, or of a resource with all its objects")
    .argument("<destination>", "the address that it gets")
    .addOption(dryRunOption())
    .action(run(async () => (await commands()).stateMove));

  define(
    program,
    "taint",
    "Has the next plan replace an object.",
    ["taint cwp_container_scan.scan"],
    stackOptions,
  )
    .argument("<address>", "the address of the object")
    .addOption(missingOption())
    .action(run(async () => (await commands()).taint));
  define(
    program,
    "untaint",
    "Takes the mark of a tainted object away.",
    ["untaint cwp_container_scan.scan"],
    stackOptions,
  )
    .argument("<address>", "the address of the object")
    .addOption(missingOption())
    .action(run(async () => (await commands()).untaint));
  define(
    program,
    "force-unlock",
    "Removes the lock that a run left behind.",
    ["force-unlock 4c7b929d-45e1-c8cd-3976-c8ca57584107"],
    stackOptions,
  )
    .argument("<id>", "the ID of the lock, as the refusal names it")
    .option("--force", "do not ask")
    .action(run(async () => (await commands()).forceUnlock));
}
