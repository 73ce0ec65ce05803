import type { Session } from "../../runtime";

/** Plans of stacks that can be applied, made by any engine. Another engine describes no states. */
export type PlannedRun = Partial<Pick<Session, "origin">> &
  Pick<
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
