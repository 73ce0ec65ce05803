import { ProgressCount } from "../../review/progress/progress-count";
import { limitLines, progressLine, progressView } from "../../review/progress/progress-view";
import { renderEvent } from "../../formats/text/progress-text";
import { printable, Printed, printed } from "../../core/printed";
import { pacesOfProcess } from "../../api/http/pace";
import type { Observer } from "../../core/documents/events";
import type { Screen } from "../terminal/screen";

/** Runs of more stacks print no line for each event. */
export const MOST_FOLLOWED = 10;

/** Milliseconds between two pictures of the view of a terminal, and between two lines elsewhere. */
const PICTURE_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 5000;

/** Milliseconds between two lines about the limits of consoles, which change often. */
const LIMIT_INTERVAL_MS = 30_000;

/** The verbs of parts of a run, by its operation. */
export const VERBS = {
  status: "Reading",
  plan: "Planning",
  apply: "Applying",
  destroy: "Destroying",
  rollback: "Rolling back",
} as const;

/** Shows the progress of a run. */
export interface RunFollower {
  readonly observe: Observer;
  /**
   * A part of the run begins, such as a wave. `verb` as in `Applying`.
   *
   * @param operations - the number of changes of each stack, if it is known
   */
  readonly begin: (verb: string, stacks: number, operations?: ReadonlyMap<string, number>) => void;
  /** Something of a stack has begun. */
  readonly reached: (stack: string) => void;
  /** A stack waits until others have ended, until `started`. */
  readonly waits: (stack: string) => void;
  readonly started: (stack: string) => void;
  /** An operation of a stack has ended. */
  readonly operated: (stack: string) => void;
  /** Operations of the part that have ended, where the engine counts them. */
  readonly stepped: (done: number, total: number) => void;
  readonly ended: (stack: string, failed: boolean) => void;
  /** The milliseconds that each stack of the part took, where they are measured. */
  readonly durations: () => ReadonlyMap<string, number>;
  /** The part has ended, or something else is printed. */
  readonly pause: () => void;
}

/**
 * Follows a run: each event as a line, which starts with the name of its stack if there are several.
 * For many stacks, a terminal shows one view of the progress, and other outputs get a line every few
 * seconds. The stream of `--json` has all events.
 */
export function followRun(
  screen: Screen,
  stacks: readonly string[],
  { expand = false }: { readonly expand?: boolean | undefined } = {},
): RunFollower {
  const silent = {
    begin: () => undefined,
    reached: () => undefined,
    waits: () => undefined,
    started: () => undefined,
    operated: () => undefined,
    stepped: () => undefined,
    ended: () => undefined,
    durations: () => new Map<string, number>(),
    pause: () => undefined,
  };
  const limits = followLimits(screen);
  if (screen.stream) return { observe: screen.stream.observer(stacks), ...silent, ...limits };
  if (stacks.length > MOST_FOLLOWED && !expand) return new ProgressFollower(screen);
  const width = Math.max(0, ...stacks.map((name) => name.length));
  return {
    observe: (event) => {
      const line = renderEvent(event, screen.style);
      if (line === undefined) return;
      const margin = stacks.length > 1 ? `${printable(event.stack).padEnd(width)}  ` : "";
      screen.print(printed`${margin}${Printed.of(line)}\n`);
    },
    ...silent,
    ...limits,
  };
}

/** Prints the limits of consoles that a part of a run waits for, and again when they have changed. */
function followLimits(screen: Screen): Pick<RunFollower, "begin" | "pause"> {
  let timer: NodeJS.Timeout | undefined;
  let shown = "";
  let shownAt = -Infinity;
  const pause = () => {
    clearInterval(timer);
  };
  return {
    begin: () => {
      pause();
      timer = setInterval(() => {
        const lines = limitLines(pacesOfProcess().describe());
        const text = lines.join("\n");
        const now = performance.now();
        if (text === shown || now - shownAt < LIMIT_INTERVAL_MS) return;
        for (const line of lines) screen.print(printed`${line}.\n`);
        shown = text;
        shownAt = now;
      }, LINE_INTERVAL_MS).unref();
    },
    pause,
  };
}

/** Shows the progress of many stacks. */
class ProgressFollower implements RunFollower {
  private verb = "";
  private count: ProgressCount | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly screen: Screen) {}

  readonly observe: Observer = ({ stack, ...event }) => {
    this.reached(stack);
    if (event.type === "apply_progress" && event.message !== undefined) {
      this.count?.delayed(stack, event.message);
    }
    const isEnd = event.type === "apply_complete" || event.type === "apply_errored";
    if (isEnd && event.action !== "read") this.operated(stack);
  };

  readonly reached = (stack: string): void => {
    this.count?.reached(stack, performance.now());
  };

  readonly waits = (stack: string): void => {
    this.count?.waits(stack);
  };

  readonly started = (stack: string): void => {
    this.count?.resumes(stack, performance.now());
  };

  readonly operated = (stack: string): void => {
    this.count?.operated(stack);
  };

  readonly stepped = (done: number, total: number): void => {
    this.count?.reachedOperations({ done, total });
  };

  readonly begin: RunFollower["begin"] = (verb, stacks, operations = new Map()) => {
    this.count = new ProgressCount(stacks, operations, performance.now());
    this.verb = verb;
    clearInterval(this.timer);
    const { isTerminal } = this.screen.terminal.stdout;
    this.timer = setInterval(
      () => {
        this.show();
      },
      isTerminal ? PICTURE_INTERVAL_MS : LINE_INTERVAL_MS,
    );
    // The run itself keeps the process alive.
    this.timer.unref();
  };

  readonly ended = (stack: string, failed: boolean): void => {
    this.count?.ended(stack, failed, performance.now());
  };

  readonly durations = (): ReadonlyMap<string, number> => this.count?.durations ?? new Map();

  readonly pause = (): void => {
    clearInterval(this.timer);
    this.screen.live.clear();
  };

  private show(): void {
    const { screen, verb } = this;
    const progress = this.count?.progress(performance.now(), pacesOfProcess().describe());
    if (!progress) return;
    if (screen.terminal.stdout.isTerminal) screen.live.show(progressView(verb, progress, screen));
    else screen.print(printed`${progressLine(verb, progress)}\n`);
  }
}
