/** What the commands do that work on stacks, in one file of the bundle. */
export { apply, destroy, plan } from "./engines";
export { forceUnlock } from "./force-unlock";
export { importObject } from "./import";
export { output } from "./output";
export { show } from "./show";
export * as state from "./state";
export { stateMove } from "./state-move";
export { stateRemove } from "./state-remove";
export { synth } from "./synth";
export { taint, untaint } from "./taint";
export { validate } from "./validate";
