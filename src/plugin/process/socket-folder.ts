import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../core/environment";

/** The maximum length of a socket path on macOS, the shortest of all systems. */
const LONGEST_PATH_BYTES = 103;

/** The folders of this process, by their places. */
const folders = new Map<string, string>();
let sockets = 0;

/**
 * Returns the path for a new socket in a folder of this process (0700), which is removed when the
 * process ends. The folder is where the host says, else where temporary files are, else in /tmp, whichever path is
 * short enough for a socket. Throws if no folder can be created.
 */
export function makeSocketPath(environment: Environment): string {
  const places = [environment.PLUGIN_UNIX_SOCKET_DIR ?? "", tmpdir(), "/tmp"].filter(Boolean);
  const short = places.filter(
    (place) => join(place, "console-XXXXXX/s99999").length <= LONGEST_PATH_BYTES,
  );
  const failures: unknown[] = [];
  for (const place of short) {
    try {
      const folder = folders.get(place) ?? makeFolder(place);
      folders.set(place, folder);
      sockets += 1;
      return join(folder, `s${sockets}`);
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw new AggregateError(
    failures,
    `no folder for a socket can be created in ${places.join(", ")}`,
  );
}

function makeFolder(place: string): string {
  const folder = mkdtempSync(join(place, "console-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
