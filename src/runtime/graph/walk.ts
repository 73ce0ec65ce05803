import type { Graph } from "./graph";
import { ReadyQueue } from "./ready-queue";
import { world, type Timer } from "../../core/io/world";

/**
 * The result of a visit: true if it succeeded. With `settled`, another visit may start at once, but
 * dependents of the node wait for the promise.
 */
export type Visited = boolean | { readonly settled: Promise<boolean> };

/** Awaits a promise. Until it resolves, the visit does not count for `parallelism`. */
export type Pause = <T>(promise: Promise<T>) => Promise<T>;

export interface WalkOptions<N> {
  /** The maximum of concurrent visits. */
  readonly parallelism: number;
  /**
   * Visits that take longer, in milliseconds, no longer count: they wait for something, and must not
   * hold up others. Default: all count.
   */
  readonly patience?: number;
  /** Once aborted, running visits are awaited and no new ones start. */
  readonly stop?: AbortSignal;
  /**
   * Visits a node. If it returns false, dependents are not visited, transitively. It must not throw:
   * an exception is a bug and ends the walk.
   */
  readonly visit: (node: N, pause: Pause) => boolean | Promise<Visited>;
  /** Nodes of a lower rank are visited first. Default: in the order in which they become ready. */
  readonly rank?: (node: N) => number;
  /**
   * Called when the visit of a node is settled, and when a node is not visited because of a failure.
   * Not called for the nodes that are left after `stop`.
   */
  readonly settled?: (node: N, visited: boolean) => void;
  /** Names a node that the walk cannot visit. */
  readonly describe?: (node: N) => string;
}

/**
 * Visits every node once, in parallel, each after its dependencies. Resolves to the nodes that were
 * not visited because of a failure or `stop`.
 */
export function walk<N>(graph: Graph<N>, options: WalkOptions<N>): Promise<ReadonlySet<N>> {
  return new Promise((resolve, reject) => {
    new Walk(graph, options, (failure, unvisited) => {
      if (failure) reject(failure);
      else resolve(unvisited);
    }).advance();
  });
}

class Walk<N> {
  /** Running visits that count. */
  running = 0;
  /** Visits that go on after a pause, as soon as there is room for them. */
  readonly returning: (() => void)[] = [];
  private unsettled = 0;
  private failure: Error | undefined;
  private readonly dependents;
  private readonly waiting = new Map<N, number>();
  private readonly poisoned = new Set<N>();
  private readonly unvisited;
  private readonly ready;

  constructor(
    private readonly graph: Graph<N>,
    readonly options: WalkOptions<N>,
    private readonly ended: (failure: Error | undefined, unvisited: ReadonlySet<N>) => void,
  ) {
    this.dependents = graph.dependents();
    this.unvisited = new Set(graph.nodes());
    this.ready = new ReadyQueue<N>(options.rank ?? (() => 0));
    for (const node of graph.nodes()) {
      const count = graph.dependencies(node).size;
      this.waiting.set(node, count);
      if (count === 0) this.ready.add(node);
    }
  }

  /** Starts visits for which there is room; ends the walk if none is left. */
  advance(): void {
    const { parallelism, stop } = this.options;
    while (this.running < parallelism) {
      const resume = this.returning.shift();
      if (!resume) break;
      resume();
    }
    while (!this.ready.isEmpty && this.running < parallelism && !stop?.aborted && !this.failure) {
      const node = this.ready.take();
      if (node === undefined) break;
      this.unvisited.delete(node);
      this.start(node);
    }
    if (this.unsettled > 0) return;
    if (!stop?.aborted) this.failure ??= this.stuck();
    this.ended(this.failure, this.unvisited);
  }

  private start(node: N): void {
    const place = new Place(this);
    try {
      const result = this.options.visit(node, (promise) => place.pause(promise));
      if (typeof result === "boolean") this.settle(node, result);
      else void this.follow(node, result, place);
    } catch (reason) {
      this.failure ??= asError(reason);
    }
  }

  private async follow(node: N, visiting: Promise<Visited>, place: Place<N>): Promise<void> {
    place.enter();
    this.unsettled++;
    try {
      const visited = await visiting.finally(() => {
        place.leave();
      });
      if (typeof visited !== "boolean") this.advance();
      this.settle(node, typeof visited === "boolean" ? visited : await visited.settled);
    } catch (reason) {
      this.failure ??= asError(reason);
    }
    this.unsettled--;
    this.advance();
  }

  private settle(first: N, succeeded: boolean): void {
    const settled: [N, boolean][] = [[first, succeeded]];
    for (const [node, ok] of settled) {
      this.options.settled?.(node, !this.unvisited.has(node));
      for (const dependent of this.dependents.get(node) ?? []) {
        if (!ok) this.poisoned.add(dependent);
        const left = (this.waiting.get(dependent) ?? 0) - 1;
        this.waiting.set(dependent, left);
        if (left > 0) continue;
        if (this.poisoned.has(dependent)) settled.push([dependent, false]);
        else this.ready.add(dependent);
      }
    }
  }

  /** The error of a walk that ends before all nodes are visited, though nothing failed. */
  private stuck(): Error | undefined {
    const { graph, unvisited } = this;
    const { describe = String } = this.options;
    const stuck = [...unvisited].filter((node) => !this.poisoned.has(node));
    if (stuck.length === 0) return undefined;
    const lines = stuck.slice(0, SHOWN_NODES).map((node) => {
      const open = [...graph.dependencies(node)].filter((one) => unvisited.has(one));
      return `\n${describe(node)} waits for ${open.map(describe).join(", ") || "nothing"}`;
    });
    return new Error(
      `the walk is stuck: ${stuck.length} nodes are left and none is visited${lines.join("")}`,
    );
  }
}

/** The place of a visit among those that are running. */
class Place<N> {
  private timer: Timer | undefined;
  private counts = false;

  constructor(private readonly walk: Walk<N>) {}

  enter(): void {
    this.walk.running++;
    this.counts = true;
    const { patience } = this.walk.options;
    if (patience === undefined) return;
    const tired = () => {
      this.leave();
      this.walk.advance();
    };
    this.timer = world.clock.after(patience, tired).letGo();
  }

  leave(): void {
    this.timer?.cancel();
    if (this.counts) this.walk.running--;
    this.counts = false;
  }

  async pause<T>(promise: Promise<T>): Promise<T> {
    // The visit has entered when its first synchronous part is done.
    await Promise.resolve();
    this.leave();
    this.walk.advance();
    const result = await promise;
    await new Promise<void>((resolve) => {
      this.walk.returning.push(() => {
        this.enter();
        resolve();
      });
      this.walk.advance();
    });
    return result;
  }
}

/** The maximum of nodes that the error of a stuck walk names. */
const SHOWN_NODES = 10;

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
