import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COLLECTION_KINDS } from "../../../src/api/collections";
import { RELEASES } from "../../../src/api/release";
import { releasesWith } from "../../../src/provider/release-changes";
import { resources } from "../../../src/provider/resources";
import type { ObjectValue } from "../../../src/core/values";
import { ManualClock } from "../../../src/simulator";
import { fresh } from "../support/consoles";
import { Engine, errorsOf } from "../support/engine";

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-releases-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(RELEASES)(
  "release %s: applies every sample to a fresh console, and destroys it",
  async (release) => {
    const clock = new ManualClock();
    const sleep = (milliseconds: number) => {
      clock.advance({ seconds: milliseconds / 1000 });
      return Promise.resolve();
    };
    const simulated = fresh({ release, clock }, { sleep });
    const { console } = simulated;
    const connection = { ...simulated.connection, directory: folder };
    const collections = () => COLLECTION_KINDS.map((kind) => console.collection(kind));
    const defaults = collections();
    const engines: [Engine, ObjectValue][] = [];
    for (const { type, sample } of resources.filter((one) => releasesWith(one).includes(release))) {
      const engine = new Engine(connection, type);
      expect(errorsOf(engine.validate(sample))).toEqual([]);
      await engine.applied(sample);
      engines.push([engine, sample]);
    }
    const writes = () => console.requests.filter(({ method }) => method !== "GET").length;
    const before = writes();
    for (const [engine, config] of engines) expect(await engine.isConverged(config)).toBe(true);
    expect(writes()).toBe(before);

    for (const [engine] of engines.reverse()) {
      await engine.applied(null);
      expect(engine.stored).toBeUndefined();
    }
    expect(collections()).toEqual(defaults);
    expect(readdirSync(folder)).toEqual([]);
    // Every request was valid in the release, but for the read of the license, which has none.
    const refused = console.requests.filter(
      ({ status, method, path }) =>
        status >= 400 && `${method} ${path}` !== "GET /api/v1/settings/license",
    );
    expect(refused).toEqual([]);
  },
);
