import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RELEASES, type Release } from "../../../src/api/release";
import type { Console as Connection } from "../../../src/provider/console/connection";
import { releasesWith } from "../../../src/provider/release-changes";
import { resources } from "../../../src/provider/resources";
import { ManualClock, transportTo } from "../../../src/simulator";
import { connectTo, ready } from "../support/consoles";
import { Engine, errorsOf } from "../support/engine";

/*
 * The provider is configured for a release that the console does not run. An empty console shows
 * nothing of that before the first write.
 */

const folder = mkdtempSync(join(tmpdir(), "cdktf-console-other-releases-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const pairs = RELEASES.flatMap((actual) =>
  RELEASES.filter((one) => one !== actual).map((configured) => [actual, configured] as const),
);

/** A console, and connections to it for several releases. */
async function consoleOf(actual: Release) {
  const clock = new ManualClock();
  const sleep = (milliseconds: number) => {
    clock.advance({ seconds: milliseconds / 1000 });
    return Promise.resolve();
  };
  const { console } = await ready({ release: actual, clock }, { sleep });
  const connect = (release: Release): Connection => ({
    ...connectTo(transportTo(console), release, { sleep, baseUrl: "https://one.test" }),
    directory: folder,
  });
  return { console, connect };
}

describe.each(pairs)("a console of release %s, configured as %s", (actual, configured) => {
  const known = resources.filter((one) => releasesWith(one).includes(configured));

  test.each(known.map((one) => [one.type, one] as const))(
    "does what %s says, or the error names the release",
    async (type, { sample }) => {
      const { connect } = await consoleOf(actual);
      const engine = new Engine(connect(configured), type);
      const problems = errorsOf(engine.validate(sample));
      const errors = problems.length > 0 ? problems : errorsOf(await engine.apply(sample));
      if (errors.length > 0) {
        expect(JSON.stringify(errors)).toMatch(/release/i);
        return;
      }
      const right = new Engine(connect(actual), type);
      right.stored = engine.stored;
      expect(await right.isConverged(sample)).toBe(true);
      expect(errorsOf(await right.apply(null))).toEqual([]);
    },
  );
});
