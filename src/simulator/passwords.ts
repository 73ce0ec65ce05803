import { createHmac, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { promisify } from "node:util";
import { world } from "../core/io/world";

/** Random per process, so that hashes in memory are useless elsewhere. */
const PEPPER = world.random.bytes(32);
const SCRYPT = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

const scryptHash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * A user's password as stored: never in plain text.
 *
 * In memory it is a keyed hash, because basic authorization verifies the password with every
 * request. On disk it is scrypt, which is slow on purpose: it is computed when the password is set
 * on a console that stores its state, and at the first verification after a restart.
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
    const salt = world.random.bytes(16);
    const hash = await scryptHash(password, salt, HASH_BYTES, SCRYPT);
    return new PasswordHash(
      quickHash(password),
      `${salt.toString("base64")}:${hash.toString("base64")}`,
    );
  }

  static fromStored(stored: string): PasswordHash {
    return new PasswordHash(undefined, stored);
  }

  async matches(password: string): Promise<boolean> {
    const quick = quickHash(password);
    if (this.#quick !== undefined) return timingSafeEqual(this.#quick, quick);
    const [salt = "", hash = ""] = this.stored?.split(":") ?? [];
    const expected = Buffer.from(hash, "base64");
    const actual = await scryptHash(password, Buffer.from(salt, "base64"), HASH_BYTES, SCRYPT);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return false;
    this.#quick = quick;
    return true;
  }
}

function quickHash(password: string): Buffer {
  return createHmac("sha256", PEPPER).update(password).digest();
}
