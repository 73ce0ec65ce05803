import { Readable } from "node:stream";
import type { ClientOptions } from "../../../src/api/client-options";
import { Paces, type PaceClock } from "../../../src/api/http/pace";
import type { Transport, TransportResponse } from "../../../src/api/http/transport";
import type { ConsoleOptions } from "../../../src/simulator";

/** A habit of consoles in the field. */
export interface Habit {
  /** The simulator has it itself. */
  readonly console?: ConsoleOptions;
  readonly client?: (clock: HabitClock) => Partial<ClientOptions>;
  /** Wraps the simulator for the client. */
  readonly between?: (
    console: Transport,
    clock: HabitClock,
    options: Partial<ClientOptions>,
  ) => Transport;
}

type HabitClock = Omit<PaceClock, "random">;

const PROJECT = "project-0001";
/** Requests for all projects of a console. */
const SETUP = /\/(?:_ping|signup|authenticate|authenticate-client|settings\/license)$/;
const isWrite = (method: string, path: string) =>
  method !== "GET" && !SETUP.test(path.split("?")[0] ?? "");

const LEAST_MS = 1_000;

/**
 * Habits by name. `CONSOLE_HABIT=whole-collections npx jest …` gives one to each console of the suites
 * that run.
 */
export const HABITS: Readonly<Record<string, Habit>> = {
  "whole-collections": { console: { wholeCollections: true } },
  envelope: { console: { policyEnvelope: true } },
  pages: { console: { pages: { size: 7 } } },
  "pages-without-totals": { console: { pages: { size: 7, hasTotal: false } } },
  // The simulator gets the requests of one project without its name, which each must have.
  project: {
    client: () => ({ project: PROJECT }),
    between: (console) => (request) => {
      const [path = "", query] = request.path.split("?");
      if (SETUP.test(path)) return console(request);
      const parameters = new URLSearchParams(query);
      if (parameters.get("project") !== PROJECT) return answered(404, "no such project");
      parameters.delete("project");
      const rest = parameters.toString();
      return console({ ...request, path: rest === "" ? path : `${path}?${rest}` });
    },
  },
  // One write a second, without Retry-After. A suite that bounds the attempts has no limits.
  limits: {
    client: ({ now, sleep }) => ({ paces: new Paces({ now, sleep, random: () => 0.5 }) }),
    between: (console, { now }, { maxRetries }) => {
      if (maxRetries !== undefined) return console;
      let last = -Infinity;
      return (request) => {
        if (!isWrite(request.method, request.path)) return console(request);
        if (now() - last < LEAST_MS) return answered(429, "too many requests");
        last = now();
        return console(request);
      };
    },
  },
  // It answers a member of `settings/certs` that it refuses in a write.
  "read-only-members": {
    between: (console) => async (request) => {
      if (!request.path.includes("/settings/certs")) return console(request);
      if (request.body?.includes("caExpiration")) return answered(400, "unknown caExpiration");
      const answer = await console(request);
      if (request.method !== "GET" || answer.status !== 200) return answer;
      const chunks = await Readable.from(answer.body).toArray();
      const text = Buffer.concat(chunks as Uint8Array[]).toString();
      const found = text.replace(/^\{/, '{"caExpiration":"2099-01-01T00:00:00Z",');
      return { ...answer, body: Readable.from([Buffer.from(found.replace(",}", "}"))]) };
    },
  },
};

export const HABIT: Habit = HABITS[process.env.CONSOLE_HABIT ?? ""] ?? {};

function answered(status: number, err: string): Promise<TransportResponse> {
  const body = Readable.from([Buffer.from(JSON.stringify({ err }))]);
  return Promise.resolve({ status, headers: { "content-type": "application/json" }, body });
}
