import { scrypt, timingSafeEqual } from "node:crypto";
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

const SEAL_BYTES = 32;

/** More would take minutes for thousands of stacks. */
const MOST_SEALS = 8;

/**
 * Seals values. Each different value gets its own seal; where there are many, several values share
 * one, which then fits all of them or none.
 */
export async function sealValues(secrets: readonly SecretValue[]): Promise<readonly Seal[]> {
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
  // One after the other: each needs 128 MiB of memory.
  for (const group of groups) {
    const salt = world.random.bytes(16);
    const values = group.map(({ value }) => value);
    seals.push({
      members: group.map(({ stack, variable }) => [stack, variable]),
      salt: salt.toString("base64"),
      hash: (await derive(values, salt)).toString("base64"),
    });
  }
  return seals;
}

/**
 * Finds the seals that no longer fit.
 *
 * @param valueOf Returns the present value of a variable; undefined if it has none.
 */
export async function brokenSeals(
  seals: readonly Seal[],
  valueOf: (stack: string, variable: string) => KnownValue | undefined,
): Promise<readonly Seal[]> {
  const broken: Seal[] = [];
  for (const one of seals) {
    const given = one.members.map(([stack, variable]) => valueOf(stack, variable));
    const values = given.filter((value) => value !== undefined);
    if (values.length < given.length || !(await fits(values, one))) broken.push(one);
  }
  return broken;
}

async function fits(values: readonly KnownValue[], { salt, hash }: Seal): Promise<boolean> {
  const derived = await derive(values, Buffer.from(salt, "base64"));
  const expected = Buffer.from(hash, "base64");
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

function derive(values: readonly KnownValue[], salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(formatJson(values), salt, SEAL_BYTES, SEAL_COST, (failure, hash) => {
      if (failure) reject(failure);
      else resolve(hash);
    });
  });
}
