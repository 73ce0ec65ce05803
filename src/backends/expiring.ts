import { world } from "../core/io/world";

/** Values are replaced this long before they expire. */
const MARGIN_MS = 300_000;

/** Values of this process, such as tokens, that are asked for again before they expire. */
export class Expiring<T> {
  private readonly known = new Map<string, Promise<T>>();

  /** @param expiryOf Returns the time of the expiry, in milliseconds; undefined: never. */
  constructor(private readonly expiryOf: (value: T) => number | undefined) {}

  /** Returns the value of a key. Callers that ask at the same time share one request. */
  async get(key: string, find: () => Promise<T>): Promise<T> {
    const found = this.known.get(key);
    const value = await found?.catch(() => undefined);
    if (value !== undefined && !this.isExpiring(value)) return value;
    // Another caller may have asked meanwhile.
    const asked = this.known.get(key);
    const next = asked && asked !== found ? asked : find();
    this.known.set(key, next);
    return next;
  }

  private isExpiring(value: T): boolean {
    const expiry = this.expiryOf(value);
    return expiry !== undefined && expiry - world.clock.now().getTime() < MARGIN_MS;
  }
}
