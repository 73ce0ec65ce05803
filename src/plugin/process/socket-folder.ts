import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";

/** What a socket's address can hold, on the system that holds least (macOS), with its end. */
const LONGEST_PATH = 103;

/** A folder of this user's own (0700), with a path for a socket in it; gone when this process ends. */
export interface SocketFolder {
  readonly socket: string;
  remove(): void;
}

/**
 * Where the host says, else where temporary files are, else in /tmp, if that path is too long for a
 * socket. Throws where no folder can be made.
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
  throw new AggregateError(failures, `no folder for a socket can be made in ${places.join(", ")}`);
}

function isPlace(place: string | undefined): place is string {
  return place !== undefined && place !== "";
}
