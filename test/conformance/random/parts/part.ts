import type { Draft } from "../draft";
import type { Draw } from "../draw";

/** Adds blocks with a name to a stack. The same choices give the same blocks. */
export type Part = (draft: Draft, name: string, draw: Draw) => void;
