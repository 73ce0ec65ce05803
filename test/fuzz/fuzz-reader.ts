import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { types } from "node:util";
import { Mutations } from "./mutations";
import type { OpenReader, Reader } from "./reader";
import type { Watchdog } from "./watchdog";

export interface FuzzOptions {
  /** The numbers of the runs: each draws its mutations from the seed, the reader and its number. */
  readonly runs: Iterable<number>;
  readonly seed: string;
  readonly watchdog: Watchdog;
  /** Called with each mutated input. Default: not at all. */
  readonly record?: (input: string) => void;
}

export interface FuzzResult {
  readonly runs: number;
  /** One text for each kind of failure, with the command that repeats it. */
  readonly findings: readonly string[];
  readonly slowest: { readonly run: number; readonly milliseconds: number };
}

/** Milliseconds of the processor that a run may take. */
const LONGEST = 5_000;
/** Milliseconds that a run may wait. */
const LATE = 30_000;

/** Mutates a valid input of a reader, again and again. */
export async function fuzzReader(tested: Reader, options: FuzzOptions): Promise<FuzzResult> {
  const { name } = tested;
  const { seed, watchdog, record } = options;
  const reader = await tested.open();
  const found = new Map<string, string>();
  const slowest = { run: 0, milliseconds: 0, input: "" };
  let runs = 0;
  for (const run of options.runs) {
    runs++;
    const mutations = new Mutations(`${seed}/${name}/${run}`, record);
    watchdog.watch(`${name}/${run}`);
    const start = process.cpuUsage();
    try {
      await readInTime(reader, mutations);
    } catch (failure) {
      const text = stackOf(failure);
      const key = keyOf(text);
      if (!found.has(key)) found.set(key, finding(name, run, text, mutations.inputs));
    }
    const { user, system } = process.cpuUsage(start);
    const milliseconds = (user + system) / 1000;
    if (milliseconds > slowest.milliseconds) {
      Object.assign(slowest, { run, milliseconds, input: mutations.inputs.join("\n") });
    }
  }
  await reader.close?.();
  if (slowest.milliseconds > LONGEST) {
    found.set("slow", finding(name, slowest.run, "takes too long", [slowest.input]));
  }
  return { runs, findings: [...found.values()], slowest };
}

async function readInTime(reader: OpenReader, mutations: Mutations): Promise<void> {
  const end = new AbortController();
  const late = wait(LATE, undefined, { signal: end.signal }).then(() => {
    throw new Error(`takes more than ${LATE} ms`);
  });
  late.catch(() => undefined);
  try {
    await Promise.race([reader.read(mutations), late]);
  } finally {
    end.abort();
  }
}

/** Equal for failures of one cause: the title, and the first frames in the sources. */
function keyOf(text: string): string {
  const [title = "", ...frames] = text.split("\n");
  const own = frames.filter((frame) => frame.includes("/src/") && !frame.includes("node_modules"));
  return [title.replace(/\d+|'.*/g, ""), ...own.slice(0, 2)].join("\n");
}

function finding(reader: string, run: number, text: string, inputs: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "fuzz-")), "input");
  writeFileSync(file, inputs.join("\n----\n"));
  return `FUZZ_ONLY="${reader}/${run}" (${file})\n${text.slice(0, 2000)}`;
}

/** Errors of Node's own modules have another realm under a test runner. */
function stackOf(failure: unknown): string {
  return types.isNativeError(failure) ? (failure.stack ?? failure.message) : String(failure);
}
