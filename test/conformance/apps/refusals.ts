import { before, selected, type App, type Codes, type Outcome, type Step } from "./app";
import type { AppWorld } from "./world";

/**
 * Reasons for which the executor refuses a whole command, although Terraform would run some of the stacks. Nothing is
 * changed then. `refusals.test.ts` has a test of each.
 */
export interface Refusal {
  readonly summary: string;
  /** Reports whether the executor has a reason. */
  readonly isDue: (app: App, step: Step, world: AppWorld) => Promise<boolean>;
}

/** A mistake in one configuration, which Terraform finds when it reaches that stack. */
const INVALID: Refusal = {
  summary: "Reference to undeclared local value",
  isDue: async (app, step, world) => {
    const codes = selected(app, step).map((stack) => world.project(stack).run("validate"));
    return (await Promise.all(codes)).some(({ code }) => code !== 0);
  },
};

/** A destroy that leaves out a dependent with objects. */
export const DEPENDENTS: Refusal = {
  summary: "Stacks that depend on a destroyed stack are not selected",
  isDue: (app, step, world) => {
    const destroyed = selected(app, step);
    const isLeft = (stack: string) =>
      !destroyed.includes(stack) && before(app, stack).some((one) => destroyed.includes(one));
    return Promise.resolve(world.withObjects().some(isLeft));
  },
};

const hasOther = ({ files }: App, stack: string) => "override.tf.json" in (files?.[stack] ?? {});

/** A file that Terraform merges into the configuration. */
const OTHER_FILES: Refusal = {
  summary: "Other files of stack",
  isDue: (app, step) => Promise.resolve(selected(app, step).some((one) => hasOther(app, one))),
};

/** Counts a stack with a file that the executor refuses as invalid. */
export function withRefused(app: App, codes: Codes): Codes {
  const ends = Object.entries(codes).map(([stack, code]) => [
    stack,
    hasOther(app, stack) ? 1 : code,
  ]);
  return Object.fromEntries(ends) as Codes;
}

export const REFUSALS: readonly Refusal[] = [INVALID, DEPENDENTS, OTHER_FILES];

/** Errors of a number of instances that another stack makes known: an apply after its apply has it. */
const LATER = ["Invalid for_each argument", "Invalid count argument"];

/** Reports whether a second apply does what the executor could not plan in the first one. */
export function isForLater({ errors }: Outcome): boolean {
  const own = errors.filter((one) => one !== "Depends on an excluded stack");
  return own.length > 0 && own.every((one) => LATER.includes(one));
}

/** Returns the refusal of an outcome, if it is one. */
export function refusalOf({ errors }: Outcome): Refusal | undefined {
  return REFUSALS.find(({ summary }) => errors.some((one) => one.startsWith(summary)));
}
