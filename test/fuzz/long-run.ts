import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "expect";
import { fuzzReader } from "./fuzz-reader";
import { READERS } from "./readers";
import { Watchdog } from "./watchdog";

/*
 * Mutates the inputs of all readers, or of those that arguments name: `npm run test:fuzz -- state`.
 * `FUZZ_RUNS` (default 10,000) are the mutations of each, `FUZZ_SEED` (default 1) draws others.
 * `FUZZ_ONLY=READER/RUN` repeats one and writes its input to `fuzz-input` in the folder for
 * temporary files. An interrupt ends it and reports what was done. The exit code is 1 if there are
 * findings.
 */

const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000);
const SEED = process.env.FUZZ_SEED ?? "1";
const [ONLY_READER, ONLY_RUN] = process.env.FUZZ_ONLY?.split("/") ?? [];

// The proofs of the API's endpoints use Jest's matchers, which Jest alone makes global.
Object.assign(globalThis, { expect });

let interrupted = false;
process.once("SIGINT", () => {
  interrupted = true;
});

/** Ends early after an interrupt, so that what was done is reported. */
function* numbers(): Generator<number> {
  for (let run = 0; run < RUNS && !interrupted; run++) yield run;
}

async function main(names: readonly string[]): Promise<void> {
  const wanted = ONLY_READER === undefined ? names : [ONLY_READER];
  const readers = READERS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  if (readers.length < wanted.length) {
    throw new Error(`The readers are ${READERS.map(({ name }) => name).join(", ")}.`);
  }
  const watchdog = new Watchdog();
  for (const reader of readers) {
    const start = performance.now();
    const { runs, findings, slowest } = await fuzzReader(reader, {
      runs: ONLY_RUN === undefined ? numbers() : [Number(ONLY_RUN)],
      seed: SEED,
      watchdog,
      ...(ONLY_RUN !== undefined && { record }),
    });
    const seconds = Math.round((performance.now() - start) / 1000);
    const slow = `slowest ${Math.round(slowest.milliseconds)} ms of CPU (${slowest.run})`;
    print(`${reader.name}: ${runs} runs, ${findings.length} findings, ${seconds} s, ${slow}`);
    for (const finding of findings) print(finding);
    if (findings.length > 0) process.exitCode = 1;
  }
  await watchdog.close();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function record(input: string): void {
  writeFileSync(join(tmpdir(), "fuzz-input"), input);
}

main(process.argv.slice(2)).catch((failure: unknown) => {
  print(String(failure));
  process.exitCode = 1;
});
