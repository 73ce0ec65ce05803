import type { ConsoleClient } from "../../api/client";
import { world } from "../../core/io/world";

const slowest = new WeakMap<ConsoleClient, number>();

/** Sends a request for a collection, and notes how long it took. */
export async function timeExchange<T>(client: ConsoleClient, send: () => Promise<T>): Promise<T> {
  const start = world.clock.steady();
  try {
    return await send();
  } finally {
    slowest.set(client, Math.max(slowestExchange(client), world.clock.steady() - start));
  }
}

/** Milliseconds that the slowest request for a collection took in this run; 0 if there was none. */
export function slowestExchange(client: ConsoleClient): number {
  return slowest.get(client) ?? 0;
}
