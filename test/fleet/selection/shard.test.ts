import { isInShard, parseShard } from "../../../src/fleet/selection/shard";

const names = Array.from({ length: 1000 }, (_, index) => `tenant-${index}`);

test("every stack is in exactly one shard, and the shards have about the same size", () => {
  const shards = [1, 2, 3, 4].map((index) =>
    names.filter((name) => isInShard(name, { index, count: 4 })),
  );
  expect(shards.flat().sort()).toEqual([...names].sort());
  for (const shard of shards) expect(Math.abs(shard.length - 250)).toBeLessThan(60);
});

test("the shard of a name never changes: pipelines of several releases share it", () => {
  const shardOf = (name: string) =>
    [1, 2, 3].find((index) => isInShard(name, { index, count: 3 })) ?? 0;
  expect(["production", "tenant-0001", "tenant-0002", "é"].map(shardOf)).toEqual([1, 2, 1, 1]);
});

test.each(["1/1", "2/5", "5/5"])("accepts %s", (text) => {
  expect(parseShard(text)).toBeDefined();
});

test.each(["", "1", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/2/3", "1.5/3"])("refuses %j", (text) => {
  expect(parseShard(text)).toBeUndefined();
});
