import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";

/** A run that holds a lock: the members of Terraform's locks. */
export interface RunInfo {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  /** ISO 8601 */
  readonly Created: string;
  readonly Path: string;
}

/** Describes a run of this process, with a new ID. */
export function describeRun(path: string, operation: string, version = ""): RunInfo {
  return {
    ID: randomUUID(),
    Operation: operation,
    Info: "",
    Who: (who ??= `${userName()}@${hostname()}`),
    Version: version,
    Created: new Date().toISOString(),
    Path: path,
  };
}

/** Of this process: the system reads two files for a name, and a run may lock thousands of states. */
let who: string | undefined;

/** Returns the user's name. In a container the user may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/** Shows the holder of a lock, on four lines. */
export function formatRun(
  { ID, Operation, Who, Created }: Pick<RunInfo, "ID" | "Operation" | "Who" | "Created">,
  pid?: number,
): string {
  return [
    `  ID:        ${ID}`,
    `  Operation: ${Operation}`,
    `  Who:       ${Who}${pid === undefined ? "" : ` (process ${pid})`}`,
    `  Created:   ${Created}`,
  ].join("\n");
}

export function unlockCommand(id: string): string {
  return `cdktf-console force-unlock ${id}`;
}
