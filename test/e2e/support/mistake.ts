import type { StackJson } from "../../cli/stack-files";
import type { Workspace } from "./workspace";

/** A mistake, and what its message must have: the place, the cause and the next step. */
export interface Mistake {
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly stack?: StackJson | ((workspace: Workspace) => StackJson);
  readonly place: RegExp;
  readonly cause: RegExp;
  readonly next: RegExp;
}
