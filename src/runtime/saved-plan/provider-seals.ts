import { createHmac } from "node:crypto";
import { z } from "zod";
import type { ConnectionIdentity } from "../../core/definitions/provider-definition";
import { formatJson } from "../../core/json/format-json";
import { world } from "../../core/io/world";
import type { KnownValue } from "../../core/values";
import { derive, isSame, type SealKeys } from "./seal";

/**
 * Hashes of the credentials of providers together with their destination: address, authorities and TLS
 * settings. Who changes a plan cannot renew them without the secrets of the stack.
 */
export const providerSeals = z.object({
  salt: z.base64(),
  seals: z
    .array(z.object({ stack: z.string(), provider: z.string(), hash: z.base64() }))
    .readonly(),
});
export type ProviderSeals = z.infer<typeof providerSeals>;

/** A provider of a stack with what the plan knows of it. */
interface SealedProvider {
  readonly stack: string;
  readonly provider: string;
  /** The configuration of the stack, which is sealed in place of an identity that is not known yet. */
  readonly configuration: unknown;
  readonly identity: ConnectionIdentity | undefined;
}

export async function sealProviders(
  providers: readonly SealedProvider[],
  keys: SealKeys,
): Promise<ProviderSeals> {
  const salt = world.random.bytes(16).toString("base64");
  const sealer = new Sealer(keys, salt);
  const seals = [];
  for (const one of providers) {
    const { stack, provider } = one;
    const hash = await sealer.hash(one);
    if (hash) seals.push({ stack, provider, hash: hash.toString("base64") });
  }
  return { salt, seals };
}

/** Compares providers with the seals of a saved plan. */
export class SealedProviders {
  private readonly sealer: Sealer;

  constructor(
    private readonly saved: ProviderSeals,
    keys: SealKeys,
  ) {
    this.sealer = new Sealer(keys, saved.salt);
  }

  /** Reports whether the plan was saved with these credentials for this destination. */
  async fits(one: SealedProvider): Promise<boolean> {
    const stored = this.saved.seals.find(
      ({ stack, provider }) => stack === one.stack && provider === one.provider,
    );
    if (!stored) return false;
    for (const identity of [one.identity, undefined]) {
      const hash = await this.sealer.hash({ ...one, identity });
      if (hash && isSame(hash, stored.hash)) return true;
    }
    return false;
  }
}

/** Hashes providers with the key of their stack, or else with one of their credentials. */
class Sealer {
  private readonly derived = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly keys: SealKeys,
    private readonly salt: string,
  ) {}

  /** Undefined if there is no secret to hash: nothing is sealed. */
  async hash(one: SealedProvider): Promise<Buffer | undefined> {
    const { stack, provider, identity, configuration } = one;
    const key = this.keys.get(stack) ?? (identity && (await this.keyOf(identity.credentials)));
    if (!key) return undefined;
    const facts = identity
      ? formatJson([stack, provider, identity.credentials, identity.destination])
      : JSON.stringify([stack, provider, configuration]);
    return createHmac("sha256", key).update(facts).digest();
  }

  /** Takes some tenths of a second for each of the different credentials. */
  private keyOf(credentials: KnownValue): Promise<Buffer> {
    const text = formatJson(credentials);
    const known = this.derived.get(text);
    if (known) return known;
    const salt = Buffer.from(this.salt, "base64");
    const derived = derive([credentials], salt).then(({ key }) => key);
    this.derived.set(text, derived);
    return derived;
  }
}
