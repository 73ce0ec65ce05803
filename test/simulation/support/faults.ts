import { systemError } from "./files";
import { Killed, type Process } from "./machine";
import type { Dice } from "./dice";

/** A fault of the way to a console. */
export type NetworkFault =
  | "refused"
  | "cut before"
  | "cut after"
  | "half an answer"
  | "no answer"
  | "forgotten"
  | 429
  | 500
  | 502
  | 503;

export const NETWORK_FAULTS: readonly NetworkFault[] = [
  "refused",
  "cut before",
  "cut after",
  "half an answer",
  "no answer",
  429,
  500,
  502,
  503,
];

/** The server of states acknowledges what it loses. */
const STATE_FAULTS: readonly NetworkFault[] = [...NETWORK_FAULTS, "forgotten"];

const faultsOfRequest = (step: string) => (step === "POST state" ? STATE_FAULTS : NETWORK_FAULTS);

export type DiskFault =
  "no space" | "error" | "torn" | "short" | "kill before" | "kill after" | "kill within";

/** The kinds of steps with the kinds of faults that they met, over all runs. */
export class Met {
  readonly steps = new Set<string>();
  readonly pairs = new Map<string, number>();

  add(step: string, fault?: string | number): void {
    this.steps.add(step);
    if (fault === undefined) return;
    const pair = `${step} × ${fault}`;
    this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + 1);
  }

  /** How many of all pairs were met. */
  get summary(): string {
    const all = [...this.steps].reduce((sum, step) => sum + faultsOf(step), 0);
    return `${this.steps.size} kinds of steps, ${this.pairs.size} of ${all} pairs with a fault`;
  }
}

/** The faults that a step may meet. */
function faultsOf(step: string): number {
  const [call = ""] = step.split(" ");
  if (/^(GET|PUT|POST)$/.test(call)) return faultsOfRequest(step).length + 2;
  if (call === "write") return 4;
  return call === "unlink" || call === "truncate" ? 2 : 3;
}

/** The faults of one run: at most one kill, and rarely an error of the disk. */
export class Faults {
  private steps = 0;
  private readonly killAt: number;
  private readonly failAt: number;
  private readonly staysFull: boolean;
  private readonly networkRate: number;
  private readonly killSide: number;

  constructor(
    private readonly dice: Dice,
    private readonly met: Met,
    isQuiet = false,
  ) {
    const among = (count: number, probability: number) =>
      !isQuiet && dice.chance(probability) ? 1 + dice.below(count) : 0;
    this.killAt = among(dice.pick([40, 150, 400]), 0.45);
    this.killSide = isQuiet ? 0 : dice.below(2);
    this.failAt = among(150, 0.2);
    this.staysFull = this.failAt > 0 && dice.chance(0.5);
    this.networkRate = isQuiet ? 0 : dice.pick([0, 0.02, 0.1, 0.3]);
  }

  diskDelay(): number {
    return this.dice.below(3);
  }

  syncDelay(): number {
    return this.dice.below(20);
  }

  networkDelay(): number {
    return this.dice.pick([1, 5, 20, 50]) + this.dice.below(10);
  }

  /** A change of the disk that is done wholly or not at all. */
  onChange(call: string, path: string, process: Process, effect: () => void): void {
    const step = `${call} ${fileKind(path)}`;
    this.met.add(step);
    process.machine.note(`${process.pid} ${call} ${path}`);
    const isLast = ++this.steps === this.killAt;
    if (isLast && this.killSide === 0) this.kill(process, step, "kill before");
    const takesSpace = call !== "unlink" && call !== "truncate";
    if (this.fails(takesSpace)) {
      const isSync = call.startsWith("f");
      this.met.add(step, isSync ? "error" : "no space");
      throw systemError(isSync ? "EIO" : "ENOSPC", call, path);
    }
    effect();
    if (isLast) this.kill(process, step, "kill after");
  }

  /** Returns the number of bytes that were written. */
  onWrite(path: string, bytes: number, process: Process, put: (count: number) => void): number {
    const step = `write ${fileKind(path)}`;
    this.met.add(step);
    process.machine.note(`${process.pid} write ${bytes} ${path}`);
    if (++this.steps === this.killAt) {
      put(this.dice.below(bytes + 1));
      this.kill(process, step, "kill within");
    }
    if (this.fails(true)) {
      const part = this.dice.below(bytes);
      put(part);
      if (part > 0 && this.dice.chance(0.5)) {
        this.met.add(step, "short");
        return part;
      }
      this.met.add(step, part > 0 ? "torn" : "no space");
      throw systemError("ENOSPC", "write", path);
    }
    put(bytes);
    return bytes;
  }

  /** The fault of a request, before it is sent. */
  onRequest(step: string, process: Process): NetworkFault | undefined {
    this.met.add(step);
    if (++this.steps === this.killAt) this.kill(process, step, "kill before");
    if (!this.dice.chance(this.networkRate)) return undefined;
    const fault = this.dice.pick(faultsOfRequest(step));
    this.met.add(step, fault);
    return fault;
  }

  /** After the effect of a request, before its answer. */
  onEffect(step: string, process: Process): void {
    if (++this.steps !== this.killAt) return;
    this.met.add(step, "kill after");
    process.kill(`after ${step}`);
  }

  private fails(takesSpace: boolean): boolean {
    if (this.failAt === 0 || !takesSpace) return false;
    return this.staysFull ? this.steps >= this.failAt : this.steps === this.failAt;
  }

  private kill(process: Process, step: string, side: DiskFault): never {
    this.met.add(step, side);
    process.kill(`${side} ${step}`);
    throw new Killed();
  }
}

function fileKind(path: string): string {
  const [, kind = "file"] =
    /\.(lock|journal|backup|tfstate|tmp)$|(errored\.tfstate)/.exec(path) ?? [];
  return kind === "tmp" && path.includes(".lock.") ? "lock draft" : kind;
}
