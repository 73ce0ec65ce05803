import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { types } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { Mutations } from "./mutations";
import { READERS } from "./readers";
import { Watchdog } from "./watchdog";

/*
 * Mutates a valid input of every reader of outside bytes. The long form is
 * `FUZZ_RUNS=10000 npx jest --forceExit test/fuzz`; `FUZZ_ONLY=READER/RUN` repeats a single run and
 * writes its input to `fuzz-input` in the folder for temporary files.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 150);
const SEED = process.env.FUZZ_SEED ?? "1";
const [ONLY_READER, ONLY_RUN] = process.env.FUZZ_ONLY?.split("/") ?? [];
const RECORD = ONLY_RUN === undefined ? undefined : record;
/** Milliseconds of the processor that a run may take. */
const LONGEST = 5_000;
/** Milliseconds that a run may wait. */
const LATE = 30_000;
const SHOWN = 10;

const watchdog = new Watchdog();
afterAll(() => watchdog.close());

const selected = READERS.filter(({ name }) => ONLY_READER === undefined || name === ONLY_READER);

test.each(selected)(
  "$name: each mutation ends in a value or a diagnostic",
  async (tested) => {
    const { name } = tested;
    const reader = await tested.open();
    const found = new Map<string, string>();
    const slowest = { run: 0, milliseconds: 0, input: "" };
    const runs = ONLY_RUN === undefined ? [...Array(RUNS).keys()] : [Number(ONLY_RUN)];
    for (const run of runs) {
      const mutations = new Mutations(`${SEED}/${name}/${run}`, RECORD);
      watchdog.watch(`${name}/${run}`);
      const start = process.cpuUsage();
      const end = new AbortController();
      try {
        const late = wait(LATE, undefined, { signal: end.signal }).then(() => {
          throw new Error(`takes more than ${LATE} ms`);
        });
        late.catch(() => undefined);
        await Promise.race([reader.read(mutations), late]);
      } catch (failure) {
        const text = stackOf(failure);
        const [title = "", ...frames] = text.split("\n");
        const own = frames.filter(
          (frame) => frame.includes("/src/") && !frame.includes("node_modules"),
        );
        const key = [title.replace(/\d+|'.*/g, ""), ...own.slice(0, 2)].join("\n");
        if (!found.has(key)) found.set(key, finding(name, run, text, mutations.inputs));
      } finally {
        end.abort();
      }
      const { user, system } = process.cpuUsage(start);
      const milliseconds = (user + system) / 1000;
      if (milliseconds > slowest.milliseconds) {
        Object.assign(slowest, { run, milliseconds, input: mutations.inputs.join("\n") });
      }
    }
    await reader.close?.();
    if (process.env.FUZZ_RUNS !== undefined || process.env.FUZZ_ONLY !== undefined) {
      const slow = `slowest ${Math.round(slowest.milliseconds)} ms (${name}/${slowest.run})`;
      process.stderr.write(`${name}: ${runs.length} runs, ${found.size} findings, ${slow}\n`);
    }
    if (slowest.milliseconds > LONGEST) {
      found.set("slow", finding(name, slowest.run, "takes too long", [slowest.input]));
    }
    expect([...found.values()].slice(0, SHOWN)).toEqual([]);
  },
  20_000 + RUNS * 600,
);

function finding(reader: string, run: number, text: string, inputs: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "fuzz-")), "input");
  writeFileSync(file, inputs.join("\n----\n"));
  return `FUZZ_ONLY="${reader}/${run}" (${file})\n${text.slice(0, 2000)}`;
}

/** Errors of Node's own modules have another realm under a test runner. */
function stackOf(failure: unknown): string {
  return types.isNativeError(failure) ? (failure.stack ?? failure.message) : String(failure);
}

function record(input: string): void {
  writeFileSync(join(tmpdir(), "fuzz-input"), input);
}
