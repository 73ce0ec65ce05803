import { ConsoleClient } from "../../../src/api/client";
import { DEFAULT_RELEASE } from "../../../src/api/release";
import { CheckpointFolder } from "../../../src/provider/console/checkpoint-folder";
import type { Console } from "../../../src/provider/console/connection";
import {
  startSecondConsole,
  type SecondConsole,
  type SecondConsoleOptions,
} from "../../second-console";
import { ADMIN } from "./consoles";

const open: { readonly served: SecondConsole; readonly client: ConsoleClient }[] = [];

/** Ends all consoles of `connectToSecond`. */
export async function closeSecondConsoles(): Promise<void> {
  for (const { served, client } of open.splice(0)) {
    await client.close();
    await served.close();
  }
}

/** Starts a console that shares nothing with the sources, and connects to it over HTTPS. */
export async function connectToSecond(options: SecondConsoleOptions = {}) {
  const served = await startSecondConsole(options);
  const client = new ConsoleClient({
    baseUrl: served.url,
    credentials: { method: "token-login", ...ADMIN },
    tls: { ca: served.ca },
  });
  open.push({ served, client });
  const connection: Console = {
    client,
    release: DEFAULT_RELEASE,
    ...ADMIN,
    directory: process.cwd(),
    checkpoints: new CheckpointFolder(process.cwd(), {}),
  };
  /** Returns the queries of all GETs of a path. */
  const reads = (path: string) =>
    served.requests.flatMap((one) =>
      one.method === "GET" && one.path === path ? [one.query] : [],
    );
  return { served, connection, reads };
}
