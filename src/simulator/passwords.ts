import { createHmac, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { ofWorld, world } from "../core/io/world";

/** Random per process, so that hashes in memory are useless elsewhere. */
const PEPPER = world.random.bytes(32);
const SCRYPT = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

const scryptHash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * A user's password as stored: never in plain text.
 *
 * In memory it is a keyed hash, because basic authorization verifies the password with every
 * request. On disk it is scrypt, which is slow on purpose: it is computed when the password is first set
 * on consoles that store their state, and at the first verification after a restart.
 */
export class PasswordHash {
  #quick: Buffer | undefined;

  private constructor(
    quick: Buffer | undefined,
    /** `SALT:HASH` of scrypt, in base64; undefined on a console that does not store its state. */
    readonly stored: string | undefined,
  ) {
    this.#quick = quick;
  }

  static inMemory(password: string): PasswordHash {
    return new PasswordHash(quickHash(password), undefined);
  }

  static async storable(password: string): Promise<PasswordHash> {
    const quick = quickHash(password);
    const salt = salts().get(quick.toString("base64")) ?? world.random.bytes(16);
    remember(salts(), quick.toString("base64"), salt);
    const hash = await slowHash(password, salt);
    return new PasswordHash(quick, `${salt.toString("base64")}:${hash.toString("base64")}`);
  }

  static fromStored(stored: string): PasswordHash {
    return new PasswordHash(undefined, stored);
  }

  async matches(password: string): Promise<boolean> {
    const quick = quickHash(password);
    if (this.#quick !== undefined) return timingSafeEqual(this.#quick, quick);
    const [salt = "", hash = ""] = this.stored?.split(":") ?? [];
    const expected = Buffer.from(hash, "base64");
    const actual = await slowHash(password, Buffer.from(salt, "base64"));
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return false;
    this.#quick = quick;
    return true;
  }
}

/**
 * The consoles of one process mostly have one user with one password: they share its salt, so that
 * hundreds of them are not hashed one by one.
 */
const salts = ofWorld(() => new Map<string, Buffer>());
const hashes = ofWorld(() => new Map<string, Promise<Buffer>>());

/** The passwords that are remembered, by their keyed hashes. */
const MOST_REMEMBERED = 100;

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const [first] = map.keys();
  if (map.size >= MOST_REMEMBERED && first !== undefined) map.delete(first);
  map.set(key, value);
}

function slowHash(password: string, salt: Buffer): Promise<Buffer> {
  const key = `${quickHash(password).toString("base64")} ${salt.toString("base64")}`;
  const known = hashes().get(key) ?? scryptHash(password, salt, HASH_BYTES, SCRYPT);
  remember(hashes(), key, known);
  return known;
}

function quickHash(password: string): Buffer {
  return createHmac("sha256", PEPPER).update(password).digest();
}
