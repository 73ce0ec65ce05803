import { createHash, createHmac, randomBytes } from "node:crypto";
import { type CollectionKind, COLLECTION_KINDS } from "../api/collections";
import { COLLECTION_HOOKS } from "./collection-hooks";
import type { Document } from "./documents";
import type { PasswordHash } from "./passwords";

/** What a console keeps. Never changed in place: every change is a new object (`update`). */
export interface ConsoleData {
  readonly users: ReadonlyMap<string, PasswordHash>;
  /** Of the key, only that there is one and how to tell it from another. */
  readonly license: { readonly fingerprint: string } | null;
  readonly collections: Collections;
  /** Kept in 20.04 only (9.2). */
  readonly firewallRules: Readonly<Record<Firewall, readonly Document[]>>;
  /** When scans of the containers were started, oldest first: none that a later, whole one covers. */
  readonly containerScans: readonly Date[];
  /** What is found already was scanned in the day before. */
  readonly installedAt: Date;
  readonly keys: ConsoleKeys;
}

/** The items of every collection in the API's table, in order. */
export type Collections = Readonly<Record<CollectionKind, readonly Document[]>>;

/** What network firewall rules are for (9.2). */
export type Firewall = "host" | "entities" | "container";

const NO_FIREWALL_RULES: ConsoleData["firewallRules"] = {
  host: [],
  entities: [],
  container: [],
};

export interface ConsoleKeys {
  /** Signs tokens. */
  readonly token: Buffer;
  /** Turns the secrets of inline credentials into what is shown as `encrypted`. */
  readonly sealing: Buffer;
}

/** The data as it is now. Whether it has changed since is a comparison of two objects. */
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

  /** Replaces the collections that are named. */
  updateCollections(change: Partial<Collections>): void {
    const { collections } = this.#data;
    this.update({ collections: everyCollection((kind) => change[kind] ?? collections[kind]) });
  }
}

/**
 * A console as installed: no user, no license, the two default policies. With a seed its keys, and
 * so its tokens and sealed secrets, are the same in every run.
 */
export function freshData(now: Date, seed?: string): ConsoleData {
  return {
    users: new Map(),
    license: null,
    collections: everyCollection((kind) => COLLECTION_HOOKS[kind]?.initial?.(now) ?? []),
    firewallRules: NO_FIREWALL_RULES,
    containerScans: [],
    installedAt: now,
    keys: { token: newKey(seed, "token"), sealing: newKey(seed, "sealing") },
  };
}

/** Each collection with the items that `itemsOf` gives. */
export function everyCollection(
  itemsOf: (kind: CollectionKind) => readonly Document[],
): Collections {
  return Object.fromEntries(COLLECTION_KINDS.map((kind) => [kind, itemsOf(kind)])) as Collections;
}

/** What the console keeps of a license key: enough to tell it from another. */
export function licenseOf(key: string): ConsoleData["license"] {
  return { fingerprint: createHash("sha256").update(key).digest("hex").slice(0, 16) };
}

export function newKey(seed: string | undefined, purpose: string): Buffer {
  return seed === undefined ? randomBytes(32) : createHmac("sha256", seed).update(purpose).digest();
}
