import type { StackJson } from "../../cli/stack-files";

/** The stacks of an app by name, each after those that it depends on. */
export interface App {
  readonly stacks: Readonly<Record<string, StackJson>>;
  /** The dependencies that the app declares; cdktf declares each reference. */
  readonly declared: Readonly<Record<string, readonly string[]>>;
  /** The stacks whose outputs each one reads. */
  readonly derived: Readonly<Record<string, readonly string[]>>;
  /** The other files in the folder of each stack, by name. */
  readonly files?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A command over stacks of an app. */
export interface Step {
  /** Default: the app of the step before. */
  readonly app?: App;
  readonly command: "validate" | "plan" | "apply" | "destroy";
  /** Default: all. */
  readonly stacks?: readonly string[];
  /** Default: true. */
  readonly refresh?: boolean;
  /** Addresses; only where one stack is selected. */
  readonly targets?: readonly string[];
  /** Applies a plan that was written to a file. */
  readonly inFile?: boolean;
  /** The operations that fail: `create x`, `read x`, `delete x`. */
  readonly failing?: readonly string[];
}

/** The exit code of each selected stack: 2 for a plan with changes. Absent stacks were not reached. */
export type Codes = Readonly<Record<string, number>>;

export interface Outcome {
  readonly codes: Codes;
  /** The summaries of errors. */
  readonly errors: readonly string[];
  /** The printed plan, without what is destroyed. Empty for Terraform. */
  readonly text: string;
}

/** Returns the stacks that must be applied before a stack. */
export function before({ declared, derived }: App, stack: string): readonly string[] {
  return [...(declared[stack] ?? []), ...(derived[stack] ?? [])];
}

export function selected(app: App, { stacks }: Step): readonly string[] {
  return Object.keys(app.stacks).filter((name) => stacks?.includes(name) ?? true);
}

/** Replaced by the folder of each world. */
export const FOLDER = "/folder-of-the-app";

/** Parts of values that are sensitive where they are made: no plan prints them. */
export const SECRET = "s3cret";
