/** Programs that can run stacks instead of the embedded executor. */
export const PROGRAMS = ["terraform", "tofu"] as const;
export type Program = (typeof PROGRAMS)[number];

/** The commands that plan. */
export type PlanningCommand = "plan" | "apply" | "destroy";

export const ENGINES = ["embedded", ...PROGRAMS] as const;
export type Engine = (typeof ENGINES)[number];
