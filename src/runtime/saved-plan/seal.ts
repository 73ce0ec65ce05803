import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { KnownValue } from "../../provider/values";

/**
 * A hash that identifies a value without revealing it. Ephemeral variables may be passwords of low
 * entropy, and others may read a plan file: so it is scrypt with a random salt, at the cost of a
 * stored password (128 MiB, some tenths of a second a guess).
 */
export const seal = z.object({ salt: z.base64(), hash: z.base64() });
export type Seal = z.infer<typeof seal>;

const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 2 ** 20 };
const LENGTH = 32;

export async function sealValue(value: KnownValue): Promise<Seal> {
  const salt = randomBytes(16);
  const hash = await derive(value, salt);
  return { salt: salt.toString("base64"), hash: hash.toString("base64") };
}

export async function fits(value: KnownValue, { salt, hash }: Seal): Promise<boolean> {
  const derived = await derive(value, Buffer.from(salt, "base64"));
  const expected = Buffer.from(hash, "base64");
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

function derive(value: KnownValue, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(JSON.stringify(value), salt, LENGTH, COST, (failure, hash) => {
      if (failure) reject(failure);
      else resolve(hash);
    });
  });
}
