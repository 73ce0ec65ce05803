/** Programs that can run stacks instead of the embedded executor. */
export const PROGRAMS = ["terraform", "tofu"] as const;
export type Program = (typeof PROGRAMS)[number];

export const ENGINES = ["embedded", ...PROGRAMS] as const;
export type Engine = (typeof ENGINES)[number];
