import type { EngineEvent, Observer } from "../../runtime/documents/events";

/** Milliseconds between two lines. */
const INTERVAL = 5000;

/**
 * Summarizes the events of a run over many stacks: a line every few seconds, as long as there are
 * events.
 *
 * @param total The number of stacks.
 * @param now Returns the time in milliseconds.
 */
export function summarizeProgress(
  print: (line: string) => void,
  total: number,
  now: () => number = () => performance.now(),
): Observer {
  const started = now();
  const reached = new Set<string>();
  let last = started;
  let running = 0;
  let done = 0;
  let failed = 0;
  return (event) => {
    reached.add(event.stack);
    const step = stepOf(event);
    if (step === "start") running += 1;
    if (step === "done" || step === "failed") running -= 1;
    if (step === "done") done += 1;
    if (step === "failed") failed += 1;
    const time = now();
    if (time - last < INTERVAL) return;
    last = time;
    const rate = Math.round((1000 * (done + failed)) / (time - started));
    const failures = failed > 0 ? `, ${failed} failed` : "";
    print(
      `${reached.size} of ${total} stacks reached: ${done} operations done${failures}, ${running} running, ${rate} per second`,
    );
  };
}

function stepOf({ type }: EngineEvent): "start" | "done" | "failed" | undefined {
  switch (type) {
    case "refresh_start":
    case "apply_start":
      return "start";
    case "refresh_complete":
    case "apply_complete":
      return "done";
    case "apply_errored":
      return "failed";
    default:
      return undefined;
  }
}
