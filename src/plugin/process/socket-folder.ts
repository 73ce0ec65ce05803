import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";

/** The maximum length of a socket path on macOS, the shortest of all systems. */
const LONGEST_PATH = 103;

/** A folder (0700) with a path for a socket; removed when this process ends. */
export interface SocketFolder {
  readonly socket: string;
  remove(): void;
}

/**
 * Creates a folder where the host says, else where temporary files are, else in /tmp, whichever
 * path is short enough for a socket. Throws if no folder can be created.
 */
export function makeSocketFolder(environment: Environment): SocketFolder {
  const places = [environment.PLUGIN_UNIX_SOCKET_DIR, tmpdir(), "/tmp"].filter(isPlace);
  const short = places.filter((place) => join(place, "console-XXXXXX/s").length <= LONGEST_PATH);
  const failures: unknown[] = [];
  for (const place of short) {
    try {
      const folder = mkdtempSync(join(place, "console-"));
      const remove = () => {
        rmSync(folder, { recursive: true, force: true });
      };
      process.once("exit", remove);
      return { socket: join(folder, "s"), remove };
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw new AggregateError(
    failures,
    `no folder for a socket can be created in ${places.join(", ")}`,
  );
}

function isPlace(place: string | undefined): place is string {
  return place !== undefined && place !== "";
}
