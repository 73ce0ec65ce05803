export { apply, destroy, refresh, rollback } from "./apply";
export { graph, synth, validate } from "./configuration";
export { evaluateExpressions } from "./evaluate-expressions";
export { explain } from "./explain";
export { history } from "./history";
export { importObjects } from "./import";
export { plan } from "./plan";
export { protectionDiff } from "./protection-diff";
export {
  rolloutDecisions,
  rolloutList,
  rolloutRollback,
  rolloutSet,
  rolloutShow,
  rolloutWait,
} from "./remote";
export { rolloutRecord } from "./rollout-record";
export { scheduleAdd, scheduleDelete, scheduleList } from "./rollout-schedules";
export { review } from "./review";
export { output, show } from "./show";
export { stacks } from "./stacks";
export { status } from "./status";
export { stateList, stateMove, stateRemove, stateShow } from "./state-actions";
export { stateMigrate } from "./state-migrate";
export { stateRenameStack } from "./state-rename-stack";
export { statePull } from "./state-pull";
export { statePush } from "./state-push";
export { forceUnlock, taint, untaint } from "./taint";
export { watch } from "./watch";
export { worker } from "./worker";
export {
  workspaceDelete,
  workspaceList,
  workspaceNew,
  workspaceSelect,
  workspaceShow,
} from "./workspaces";
