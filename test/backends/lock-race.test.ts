import { readdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { acquire, release, ownIdentity, type LockInfo } from "../../src/backends/lock-file";
import { testWhere } from "../support/requirement";
import { freshFolder } from "./folder";
import { run } from "./program";

function contender(started = ownIdentity().started): LockInfo {
  return {
    ID: crypto.randomUUID(),
    Operation: "apply",
    Info: "",
    Who: "",
    Version: "",
    Created: "",
    Path: "",
    Process: { ...ownIdentity(), started },
  };
}

const proc = { isMet: ownIdentity().started !== undefined, reason: "there is no /proc" };

testWhere(proc, "lets one of many take over a dead lock, over and over", async () => {
  const path = join(freshFolder(), "s.lock");
  for (let round = 0; round < 60; round++) {
    const dead = contender("1");
    await acquire(path, dead);
    const contenders = Array.from({ length: 16 }, () => contender());
    // Each starts a little later, so that the last ones look while the first ones act.
    const results = await Promise.all(
      contenders.map(async (info, turn) => {
        for (let step = 0; step < turn; step++) await stat(path);
        return acquire(path, info);
      }),
    );
    const winners = contenders.filter((_, index) => results[index]?.held);
    expect(winners).toHaveLength(1);
    await release(path, winners[0]!.ID);
  }
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

testWhere(proc, "goes on where processes died while they took over", async () => {
  const path = join(freshFolder(), "s.lock");
  const [first, second, third] = [contender("1"), contender("1"), contender("1")];
  await acquire(path, first);
  await acquire(`${path}.${first.ID}`, second);
  await acquire(`${path}.${first.ID}.${second.ID}`, third);

  const contenders = Array.from({ length: 8 }, () => contender());
  const results = await Promise.all(contenders.map((info) => acquire(path, info)));
  const winners = contenders.filter((_, index) => results[index]?.held);
  expect(winners).toHaveLength(1);
  await release(path, winners[0]!.ID);
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

testWhere(
  proc,
  "never lets two processes in, though each is killed while it holds the lock",
  async () => {
    const path = join(freshFolder(), "terraform.tfstate");
    const programs = Array.from({ length: 4 }, () => run("lock-and-die", [path]));
    await Promise.all(programs.map(({ until }) => until((output) => output === "ready\n")));
    writeFileSync(`${path}.go`, "");
    for (const { ended } of programs) expect(await ended).toBe("ready\nheld\n");
  },
);
