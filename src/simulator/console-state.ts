import { createHash, createHmac } from "node:crypto";
import { type CollectionKind, COLLECTION_KINDS } from "../api/collections";
import { COLLECTION_HOOKS } from "./collection-hooks";
import type { Document } from "./documents";
import type { PasswordHash } from "./passwords";
import { world } from "../core/io/world";

/** Data of a console. Immutable: every change creates a new object (`update`). */
export interface ConsoleData {
  readonly users: ReadonlyMap<string, PasswordHash>;
  /** Identifies the key without revealing it. */
  readonly license: { readonly fingerprint: string } | null;
  readonly collections: Collections;
  /** The bodies written to paths of the catalogue and to others, by path below `/api/v1/`. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** Stored in 20.04 only (9.2). */
  readonly firewallRules: Readonly<Record<Firewall, readonly Document[]>>;
  /** Start times of container scans, oldest first, without those that a later scan covers. */
  readonly containerScans: readonly Date[];
  /** The inventory was scanned in the day before. */
  readonly installedAt: Date;
  readonly keys: {
    /** Key that signs tokens. */
    readonly token: Buffer;
    /** Key that hashes the secrets of inline credentials, shown as `encrypted`. */
    readonly sealing: Buffer;
  };
}

/** The items of every collection in the API's table, in order. */
export type Collections = Readonly<Record<CollectionKind, readonly Document[]>>;

/** Targets of network firewall rules (9.2). */
export type Firewall = "host" | "entities" | "container";

/** Holds the current data. Two equal references mean that nothing changed. */
export class ConsoleState {
  #data: ConsoleData;

  constructor(data: ConsoleData) {
    this.#data = data;
  }

  get data(): ConsoleData {
    return this.#data;
  }

  update(change: Partial<ConsoleData>): void {
    this.#data = { ...this.#data, ...change };
  }

  /** Replaces the given collections. */
  updateCollections(change: Partial<Collections>): void {
    const { collections } = this.#data;
    this.update({ collections: everyCollection((kind) => change[kind] ?? collections[kind]) });
  }
}

/**
 * Returns the data of a console as installed: no user, no license, two default policies. With a
 * seed its keys, and therefore tokens and hashed secrets, are the same in every run.
 */
export function freshData(now: Date, seed?: string): ConsoleData {
  return {
    users: new Map(),
    license: null,
    collections: everyCollection((kind) => COLLECTION_HOOKS[kind]?.initial?.(now) ?? []),
    documents: {},
    firewallRules: { host: [], entities: [], container: [] },
    containerScans: [],
    installedAt: now,
    keys: { token: newKey(seed, "token"), sealing: newKey(seed, "sealing") },
  };
}

/** Returns every collection with its items. */
export function everyCollection(
  itemsOf: (kind: CollectionKind) => readonly Document[],
): Collections {
  return Object.fromEntries(COLLECTION_KINDS.map((kind) => [kind, itemsOf(kind)])) as Collections;
}

/** Returns the stored form of a license key: a fingerprint. */
export function licenseOf(key: string): ConsoleData["license"] {
  return { fingerprint: createHash("sha256").update(key).digest("hex").slice(0, 16) };
}

export function newKey(seed: string | undefined, purpose: string): Buffer {
  return seed === undefined
    ? world.random.bytes(32)
    : createHmac("sha256", seed).update(purpose).digest();
}
