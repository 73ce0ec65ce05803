import { setFlagsFromString } from "node:v8";

/** Node versions after this one may not know the flags, and would print a warning. */
const NEWEST = 24;

/**
 * Without it V8 optimizes the WebAssembly HTTP parser after a few responses, and the process cannot
 * exit before that is done, which takes longer than a plan waits for its responses.
 */
const ALWAYS = ["--wasm-tiering-budget=1000000000"];

/** Work of V8 in other threads that long runs gain from. Most runs end before it pays. */
const LATER = ["turbofan", "incremental-marking"];
const LATER_MS = 1000;

/**
 * Collects garbage when the heap is 1.5 times what the last collection left. By default V8 lets it
 * grow up to four times, which doubles the memory of a run over thousands of stacks.
 */
const GROWTH = "--heap-growing-percent";

/**
 * The flags of V8 at the start of a program, those that it gets when it runs for long, and those at
 * its end: V8 refuses compiled code that was kept under other flags than those of the next start.
 */
export function startFlags(
  nodeVersion: string,
): Readonly<Record<"first" | "later" | "last", readonly string[]>> {
  if (Number.parseInt(nodeVersion) > NEWEST) return { first: [], later: [], last: [] };
  const first = [...ALWAYS, ...LATER.map((name) => `--no-${name}`)];
  return {
    first,
    later: [...LATER.map((name) => `--${name}`), `${GROWTH}=50`],
    last: [...first, `${GROWTH}=0`],
  };
}

/** Sets the flags of this process. Must be called before its code is loaded. */
export function setStartFlags(): void {
  const { first, later, last } = startFlags(process.versions.node);
  first.forEach(setFlagsFromString);
  setTimeout(() => {
    later.forEach(setFlagsFromString);
  }, LATER_MS).unref();
  // Runs before the code is kept, which listens later.
  process.once("exit", () => {
    last.forEach(setFlagsFromString);
  });
}
