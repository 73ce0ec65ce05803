import { createHash } from "node:crypto";

/** A value that a client shares with others, until it calls `leave`. */
export interface Joined<T> {
  readonly value: T;
  readonly leave: () => void;
}

/** Values that open clients share. The last client that leaves a value ends it. */
export class Shared<T> {
  readonly #values = new Map<string, { readonly value: T; clients: number }>();

  /** @param key JSON, kept as a hash because it may contain credentials */
  join(key: readonly unknown[], create: () => T): Joined<T> {
    const name = createHash("sha256").update(JSON.stringify(key)).digest("base64");
    const shared = this.#values.get(name) ?? { value: create(), clients: 0 };
    this.#values.set(name, shared);
    shared.clients += 1;
    let isOpen = true;
    const leave = () => {
      if (isOpen) shared.clients -= 1;
      isOpen = false;
      if (shared.clients === 0 && this.#values.get(name) === shared) this.#values.delete(name);
    };
    return { value: shared.value, leave };
  }

  values(): readonly T[] {
    return [...this.#values.values()].map(({ value }) => value);
  }
}
