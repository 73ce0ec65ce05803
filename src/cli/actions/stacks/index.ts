export { apply, destroy } from "./apply";
export { synth, validate } from "./configuration";
export { explain } from "./explain";
export { importObject } from "./import";
export { plan } from "./plan";
export { output, show } from "./show";
export { stacks } from "./stacks";
export { stateList, stateMove, stateRemove, stateShow } from "./state-actions";
export { forceUnlock, taint, untaint } from "./taint";
