import type { ConsoleRequest, ConsoleResponse } from "../../../src/simulator";
import type { Tenant } from "./tenant";

/** The moment of the kill: during a request, before or after its effect. */
export interface Moment {
  readonly request: number;
  readonly effect: "before" | "after";
}

/** Runs a command and kills it at a moment. */
export async function killAt(tenant: Tenant, command: string, moment: Moment): Promise<void> {
  const { console } = tenant;
  const handle = console.handle.bind(console);
  const running = tenant.start(command);
  let count = 0;
  console.handle = async (request: ConsoleRequest): Promise<ConsoleResponse> => {
    // Other requests of the killed process may or may not have their effect.
    if (++count !== moment.request) return handle(request);
    const kill = async () => {
      running.child.kill("SIGKILL");
      await running.ended;
    };
    if (moment.effect === "before") {
      await kill();
      return { status: 0, headers: {}, body: "", delivered: "none" };
    }
    const response = await handle(request);
    await kill();
    return response;
  };
  const { signal } = await running.ended;
  console.handle = handle;
  // Parts of a plan run at the same time, so that one run may send a request less than another.
  if (count === moment.request - 1) return;
  expect({ moment, signal }).toEqual({ moment, signal: "SIGKILL" });
}

/** Runs `work` for all items, a few at a time. */
export async function together<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker()]);
}

/** Every request of a command as a moment, those with an effect before and after it. */
export async function momentsOf(
  open: () => Promise<Tenant>,
  prepare: (tenant: Tenant) => Promise<unknown>,
  command: string,
): Promise<readonly Moment[]> {
  const tenant = await open();
  try {
    await prepare(tenant);
    tenant.requests();
    const { code, err } = await tenant.run(command);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const requests = tenant.requests();
    return requests.flatMap((request, index): Moment[] => [
      { request: index + 1, effect: "before" },
      ...(request.startsWith("GET") ? [] : [{ request: index + 1, effect: "after" } as const]),
    ]);
  } finally {
    await tenant.close();
  }
}
