import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../../../src/provider/resources";
import { releasesWith } from "../../../src/provider/release-changes";
import type { ObjectValue } from "../../../src/core/values";
import { ManualClock } from "../../../src/simulator";
import { fresh, ready } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";

/* A rollout bounds failures by this: no resource changes anything before the run permits it. */

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-permission-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const REFUSED = ["Change was not started"];

async function consoleFor(type: string) {
  const clock = new ManualClock();
  const sleep = (milliseconds: number) => {
    clock.advance({ seconds: milliseconds / 1000 });
    return Promise.resolve();
  };
  const release = resources
    .filter((one) => one.type === type)
    .flatMap(releasesWith)
    .at(-1);
  const options = { clock, ...(release && { release }) };
  const start = type === "cwp_bootstrap" ? fresh : ready;
  const simulated = await start(options, { sleep });
  return { ...simulated, connection: { ...simulated.connection, directory: folder } };
}

test.each(resources.map(({ type, sample }) => [type, sample] as const))(
  "%s changes nothing that the run does not permit",
  async (type, sample: ObjectValue) => {
    const { connection, writes } = await consoleFor(type);
    const before = writes();
    const refused = new Engine(connection, type, { beforeWrite: () => false });
    expect(summaries(errorsOf(await refused.apply(sample)))).toEqual(REFUSED);
    expect(refused.stored).toBeUndefined();
    expect(writes()).toEqual(before);
    expect(readdirSync(folder)).toEqual([]);

    // A destroy that is not permitted leaves the object, or has no effect.
    const engine = await new Engine(connection, type).applied(sample);
    const created = { writes: writes(), files: readdirSync(folder) };
    refused.stored = engine.stored;
    const destroyed = summaries(errorsOf(await refused.apply(null)));
    expect({ writes: writes(), files: readdirSync(folder) }).toEqual(created);
    if (destroyed.length > 0) {
      expect(destroyed).toEqual(REFUSED);
      expect(refused.state).toEqual(engine.state);
    }
    await engine.applied(null);
  },
);
