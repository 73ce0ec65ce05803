import { ConsoleClient } from "../../../src/api/client";
import type { ClientOptions } from "../../../src/api/client-options";
import { DEFAULT_RELEASE, type Release } from "../../../src/api/release";
import type { PaceClock } from "../../../src/api/http/pace";
import type { Transport, TransportRequest } from "../../../src/api/http/transport";
import { CheckpointFolder } from "../../../src/provider/console/checkpoint-folder";
import type { Console as Connection } from "../../../src/provider/console/connection";
import {
  Console,
  ManualClock,
  parseFault,
  transportTo,
  type ConsoleOptions,
} from "../../../src/simulator";
import { HABIT, type Habit } from "./habits";

export const ADMIN = { username: "admin", password: "canary-password" };

let count = 0;

/** A clock without real delays: sleeping advances it at once. */
function sleepless(now: () => number): Omit<PaceClock, "random"> {
  let slept = 0;
  return {
    now: () => now() + slept,
    sleep: (milliseconds) => {
      slept += milliseconds;
      return Promise.resolve();
    },
  };
}

/** A connection to a console in this process, without real delays. */
export function connectTo(
  transport: Transport,
  release?: Release,
  options: Partial<ClientOptions> = {},
): Connection {
  const client = new ConsoleClient({
    // Writes are ordered by address, so each console has a different one.
    baseUrl: `https://console-${++count}.test`,
    release,
    credentials: { method: "token-login", ...ADMIN },
    transport,
    ...sleepless(() => performance.now()),
    ...options,
  });
  return {
    client,
    release: options.release ?? release ?? DEFAULT_RELEASE,
    ...ADMIN,
    directory: process.cwd(),
    checkpoints: new CheckpointFolder(process.cwd(), {}),
  };
}

export interface Simulated {
  readonly console: Console;
  readonly connection: Connection;
  /** Every request to the console with its body. */
  readonly sent: TransportRequest[];
  /** The methods and paths of the writes to collections and settings, in order. */
  readonly writes: () => string[];
  /** Injects a fault; see `parseFault`. */
  readonly fault: (spec: string) => void;
}

/** A fresh console. */
export function fresh(
  options: ConsoleOptions = {},
  clientOptions: Partial<ClientOptions> = {},
  habit: Habit = HABIT,
): Simulated {
  const console = new Console({ clock: new ManualClock(), ...habit.console, ...options });
  const sent: TransportRequest[] = [];
  const transport = transportTo(console);
  const recording: Transport = (request) => {
    sent.push(request);
    return transport(request);
  };
  const clock = sleepless(() => Date.parse("2021-01-01T00:00:00Z"));
  const habitual = habit.between?.(recording, clock, clientOptions) ?? recording;
  return {
    console,
    connection: connectTo(habitual, console.release, {
      ...clock,
      ...habit.client?.(clock),
      ...clientOptions,
    }),
    sent,
    writes: () =>
      console.requests
        .filter(({ method, path }) => method !== "GET" && !path.includes("/authenticate"))
        .map(({ method, path }) => `${method} ${path}`),
    fault: (spec) => {
      console.faults.add(parseFault(spec));
    },
  };
}

/** A console with a user and a license. */
export async function ready(
  options: ConsoleOptions = {},
  clientOptions: Partial<ClientOptions> = {},
  habit: Habit = HABIT,
): Promise<Simulated> {
  const simulated = fresh(options, clientOptions, habit);
  await simulated.console.addUser(ADMIN.username, ADMIN.password);
  await simulated.console.installLicense();
  return simulated;
}

/** A console that stores one collection byte by byte. */
export function storing(path: string, initial: string, release?: Release) {
  let text = initial;
  const bodies: string[] = [];
  const transport: Transport = (request) => {
    const answer = (status: number, body: string) =>
      Promise.resolve({ status, headers: {}, body: bytes(body) });
    if (request.path.endsWith("/authenticate")) return answer(200, '{"token":"opaque"}');
    if (request.path.endsWith("/_ping")) return answer(200, "OK");
    if (request.path !== path) return answer(404, "");
    if (request.method === "GET") return answer(200, text);
    text = request.body ?? "";
    bodies.push(text);
    return answer(200, "");
  };
  return { connection: connectTo(transport, release), bodies, body: () => text };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
