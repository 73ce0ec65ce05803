import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../../../src/provider/resources";
import { releasesWith } from "../../../src/provider/release-changes";
import { isListValue, type ObjectValue } from "../../../src/core/values";
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

/** Members that an update changes; by default the list of a collection gets empty. */
const CHANGES: Readonly<Record<string, ObjectValue>> = {
  cwp_bootstrap: { wait_timeout: 61 },
  cwp_license: { key: "another-license-key" },
  cwp_container_scan: { triggers: { policies: "2" } },
  cwp_registry_scan_run: { triggers: { settings: "2" } },
  cwp_object: { body: { name: "payments", images: ["other/*"] } },
  cwp_setting: { body: { listeningPort: 9997 } },
  cwp_defender_artifact: { filename: "other.tar.gz" },
};

/** The console lists no write for these changes: the first has no effect, the second starts a scan. */
const WITHOUT_WRITES = new Set(["cwp_bootstrap", "cwp_container_scan"]);

/** A refused scan leaves no state. */
const SCANS = new Set(["cwp_container_scan", "cwp_registry_scan_run"]);

function changed(type: string, sample: ObjectValue): ObjectValue {
  const lists = Object.entries(sample).filter(([, value]) => isListValue(value ?? null));
  return { ...sample, ...(CHANGES[type] ?? Object.fromEntries(lists.map(([name]) => [name, []]))) };
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

    // An update or a destroy that is not permitted leaves the object, or has no effect.
    const engine = await new Engine(connection, type).applied(sample);
    const world = () => ({ writes: writes(), files: readdirSync(folder) });
    const created = world();
    for (const config of [changed(type, sample), null]) {
      refused.stored = engine.stored;
      const problems = summaries(errorsOf(await refused.apply(config)));
      expect(world()).toEqual(created);
      if (problems.length === 0) continue;
      expect(problems).toEqual(REFUSED);
      // The destroy of a scan, which a replacement begins with, has no effect.
      if (!SCANS.has(type)) expect(refused.state).toEqual(engine.state);
    }
    await engine.applied(changed(type, sample));
    if (!WITHOUT_WRITES.has(type)) expect(world()).not.toEqual(created);
    await engine.applied(null);
  },
);
