/* Without zod, which takes long to load: every start of the command loads this. */

/** The libraries of constructs. HashiCorp archived cdktf; cdktn continues it. */
export const LIBRARIES = ["cdktf", "cdktn"] as const;

export type Library = (typeof LIBRARIES)[number];
