import { createHash, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { formatJson } from "../../core/json/format-json";
import type { KnownValue } from "../../core/values";
import { SEAL_COST } from "./seal-cost";
import { world } from "../../core/io/world";

/**
 * A hash that identifies values without revealing them. Ephemeral variables may be passwords of low
 * entropy, and others may read a plan file: so it is scrypt with a random salt, at `SEAL_COST`.
 */
export const seal = z.object({
  /** The names of a stack and of its variable, in the order of the hashed values. */
  members: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
  salt: z.base64(),
  hash: z.base64(),
});
export type Seal = z.infer<typeof seal>;

/** The value of an ephemeral variable of a stack. */
export interface SecretValue {
  readonly stack: string;
  readonly variable: string;
  readonly value: KnownValue;
}

/** The keys by which facts about the secrets of a stack are sealed, by its name. No file has them. */
export type SealKeys = ReadonlyMap<string, Buffer>;

const SEAL_BYTES = 32;

/** More would take minutes for thousands of stacks. */
const MOST_SEALS = 8;

/**
 * Seals values. Each different value gets its own seal; where there are many, several values share
 * one, which then fits all of them or none.
 */
export async function sealValues(
  secrets: readonly SecretValue[],
): Promise<{ readonly seals: readonly Seal[]; readonly keys: SealKeys }> {
  const groups: SecretValue[][] = [];
  const groupOf = new Map<string, SecretValue[]>();
  for (const secret of secrets) {
    const key = formatJson(secret.value);
    const known = groupOf.get(key);
    if (known) {
      known.push(secret);
      continue;
    }
    const group = (groups[groupOf.size % MOST_SEALS] ??= []);
    group.push(secret);
    groupOf.set(key, group);
  }
  const seals: Seal[] = [];
  const keys: Buffer[] = [];
  // One after the other: each needs 128 MiB of memory.
  for (const group of groups) {
    const salt = world.random.bytes(16);
    const values = group.map(({ value }) => value);
    const { hash, key } = await derive(values, salt);
    keys.push(key);
    seals.push({
      members: group.map(({ stack, variable }) => [stack, variable]),
      salt: salt.toString("base64"),
      hash: hash.toString("base64"),
    });
  }
  return { seals, keys: keysOfStacks(seals, keys) };
}

/**
 * Finds the seals that no longer fit, and the keys of the stacks.
 *
 * @param valueOf Returns the present value of a variable; undefined if it has none.
 */
export async function openSeals(
  seals: readonly Seal[],
  valueOf: (stack: string, variable: string) => KnownValue | undefined,
): Promise<{ readonly broken: readonly Seal[]; readonly keys: SealKeys }> {
  const broken: Seal[] = [];
  const keys: Buffer[] = [];
  for (const one of seals) {
    const given = one.members.map(([stack, variable]) => valueOf(stack, variable));
    const values = given.filter((value) => value !== undefined);
    const { hash, key } = await derive(values, Buffer.from(one.salt, "base64"));
    keys.push(key);
    if (values.length < given.length || !isSame(hash, one.hash)) broken.push(one);
  }
  return { broken, keys: keysOfStacks(seals, keys) };
}

/** Compares a hash with one in base64, in constant time. */
export function isSame(hash: Buffer, stored: string): boolean {
  const expected = Buffer.from(stored, "base64");
  return expected.length === hash.length && timingSafeEqual(hash, expected);
}

/** Combines the keys of all seals with values of a stack. */
function keysOfStacks(seals: readonly Seal[], keys: readonly Buffer[]): SealKeys {
  const parts = new Map<string, Buffer[]>();
  for (const [at, { members }] of seals.entries()) {
    const key = keys[at] ?? Buffer.alloc(0);
    for (const stack of new Set(members.map(([name]) => name))) {
      parts.set(stack, [...(parts.get(stack) ?? []), key]);
    }
  }
  return new Map(
    [...parts].map(([stack, all]) => [
      stack,
      createHash("sha256").update(Buffer.concat(all)).digest(),
    ]),
  );
}

/** Derives a hash to be stored, and a key that neither the hash nor the salt reveals. */
export function derive(
  values: readonly KnownValue[],
  salt: Buffer,
): Promise<{ readonly hash: Buffer; readonly key: Buffer }> {
  return new Promise((resolve, reject) => {
    scrypt(formatJson(values), salt, 2 * SEAL_BYTES, SEAL_COST, (failure, derived) => {
      if (failure) reject(failure);
      else resolve({ hash: derived.subarray(0, SEAL_BYTES), key: derived.subarray(SEAL_BYTES) });
    });
  });
}
