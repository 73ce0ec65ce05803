import { createHash } from "node:crypto";

/** One of several parts of all stacks. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** Parses `I/N`. Undefined for another text. */
export function parseShard(text: string): Shard | undefined {
  const [, first, second] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(first), count: Number(second) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/**
 * Reports whether a stack belongs to the shard. That depends on its name and the number of shards
 * alone, so a stack keeps its shard when others are added or removed.
 */
export function isInShard(stack: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(stack).digest().readUInt32BE(0) % count === index - 1;
}
