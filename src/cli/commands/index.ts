import { group, type CommandDefinition } from "../command-line/command";
import { adopt } from "./adopt";
import { apply } from "./apply";
import { completion } from "./completion";
import { consoleCommand } from "./console";
import { destroy } from "./destroy";
import { doctor } from "./doctor";
import { download } from "./download";
import { explain } from "./explain";
import { forceUnlock } from "./force-unlock";
import { graph } from "./graph";
import { history } from "./history";
import { importObject } from "./import";
import { init } from "./init";
import { output } from "./output";
import { plan } from "./plan";
import { protectionDiff } from "./protection-diff";
import { providerInstall } from "./provider-install";
import { providerSchema } from "./provider-schema";
import { providerServe } from "./provider-serve";
import { refresh } from "./refresh";
import { reportConvert } from "./report-convert";
import { rolloutCommands } from "./rollout";
import { review } from "./review";
import { rollback } from "./rollback";
import { scan } from "./scan";
import { show } from "./show";
import { simulate } from "./simulate";
import { stacks } from "./stacks";
import { stateList } from "./state-list";
import { stateMove } from "./state-mv";
import { stateMigrate } from "./state-migrate";
import { stateRenameStack } from "./state-rename-stack";
import { statePull } from "./state-pull";
import { statePush } from "./state-push";
import { stateRemove } from "./state-rm";
import { stateShow } from "./state-show";
import { status } from "./status";
import { synth } from "./synth";
import { taint } from "./taint";
import { untaint } from "./untaint";
import { upgrade } from "./upgrade";
import { validate } from "./validate";
import { worker } from "./worker";
import { printVersion } from "./version";
import { watch } from "./watch";
import { workspaces } from "./workspace";

/** All commands under their headings, in the order of the help. */
export const COMMAND_GROUPS: readonly (readonly [
  heading: string,
  commands: readonly CommandDefinition[],
])[] = [
  ["Projects:", [init, synth, validate, watch, graph, stacks, status]],
  [
    "Plan and apply:",
    [
      plan,
      apply,
      destroy,
      rollback,
      history,
      refresh,
      worker,
      group("rollout", "Follow and steer runs over many machines, on Temporal", rolloutCommands),
    ],
  ],
  [
    "Reviews and protection:",
    [review, explain, group("protection", "Compare what policies protect", [protectionDiff])],
  ],
  [
    "State:",
    [
      show,
      output,
      consoleCommand,
      importObject,
      group("state", "Inspect and modify the state", [
        stateList,
        stateShow,
        stateRemove,
        stateMove,
        statePull,
        statePush,
        stateMigrate,
        stateRenameStack,
        taint,
        untaint,
        forceUnlock,
      ]),
      taint,
      untaint,
      forceUnlock,
      workspaces,
    ],
  ],
  [
    "Consoles:",
    [
      adopt,
      doctor,
      simulate,
      scan,
      download,
      upgrade,
      group("report", "Convert image scanner reports", [reportConvert]),
    ],
  ],
  [
    "Terraform and this program:",
    [
      group("provider", "Install, describe and serve the Terraform provider", [
        providerInstall,
        providerSchema,
        providerServe,
      ]),
      completion,
      printVersion,
    ],
  ],
];

/** The names of commands that people use first, which a short help has. */
export const FIRST_COMMANDS: ReadonlySet<string> = new Set([
  "init",
  "validate",
  "stacks",
  "plan",
  "apply",
  "destroy",
  "review",
  "show",
  "adopt",
  "simulate",
]);
