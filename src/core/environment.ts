/** Variables of a process; undefined for those that are not set. */
export type Environment = Readonly<Record<string, string | undefined>>;
