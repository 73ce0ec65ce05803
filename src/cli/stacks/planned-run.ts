import type { Session } from "../../runtime";

/** Plans of stacks that can be applied, made by any engine. */
export type PlannedRun = Pick<
  Session,
  | "plans"
  | "excluded"
  | "problems"
  | "diagnostics"
  | "interrupted"
  | "applicable"
  | "ephemeralVariables"
  | "awaited"
  | "apply"
  | "close"
>;
