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
  const { parallelism, patience, stop, visit, rank = () => 0, describe = String } = options;
  const dependents = graph.dependents();
  const waiting = new Map<N, number>();
  const poisoned = new Set<N>();
  const unvisited = new Set(graph.nodes());
  const ready = new ReadyQueue<N>(rank);
  for (const node of graph.nodes()) {
    const count = graph.dependencies(node).size;
    waiting.set(node, count);
    if (count === 0) ready.add(node);
  }

  const settle = (first: N, succeeded: boolean) => {
    const settled: [N, boolean][] = [[first, succeeded]];
    for (const [node, ok] of settled) {
      options.settled?.(node, !unvisited.has(node));
      for (const dependent of dependents.get(node) ?? []) {
        if (!ok) poisoned.add(dependent);
        const left = (waiting.get(dependent) ?? 0) - 1;
        waiting.set(dependent, left);
        if (left > 0) continue;
        if (poisoned.has(dependent)) settled.push([dependent, false]);
        else ready.add(dependent);
      }
    }
  };

  return new Promise((resolve, reject) => {
    /** Running visits that count, and nodes that are not settled. */
    let running = 0;
    let unsettled = 0;
    let failure: Error | undefined;
    /** Visits that go on after a pause, as soon as there is room for them. */
    const returning: (() => void)[] = [];
    const advance = () => {
      while (running < parallelism) {
        const resume = returning.shift();
        if (!resume) break;
        resume();
      }
      while (!ready.isEmpty && running < parallelism && stop?.aborted !== true && !failure) {
        const node = ready.take();
        if (node === undefined) break;
        unvisited.delete(node);
        start(node);
      }
      if (unsettled > 0) return;
      const stuck = stop?.aborted ? [] : [...unvisited].filter((node) => !poisoned.has(node));
      if (stuck.length > 0) {
        const lines = stuck.slice(0, SHOWN_NODES).map((node) => {
          const open = [...graph.dependencies(node)].filter((one) => unvisited.has(one));
          return `\n${describe(node)} waits for ${open.map(describe).join(", ") || "nothing"}`;
        });
        failure ??= new Error(
          `the walk is stuck: ${stuck.length} nodes are left and none is visited${lines.join("")}`,
        );
      }
      if (failure) reject(failure);
      else resolve(unvisited);
    };
    const start = (node: N) => {
      const place = placeOf();
      try {
        const result = visit(node, place.pause);
        if (typeof result === "boolean") {
          settle(node, result);
          return;
        }
        void follow(node, result, place);
      } catch (reason) {
        failure ??= asError(reason);
      }
    };
    /** The place of a visit among those that are running. */
    const placeOf = () => {
      let timer: Timer | undefined;
      let counts = false;
      const leave = () => {
        timer?.cancel();
        if (counts) running--;
        counts = false;
      };
      const enter = () => {
        running++;
        counts = true;
        if (patience === undefined) return;
        const tired = () => {
          leave();
          advance();
        };
        timer = world.clock.after(patience, tired).letGo();
      };
      const pause: Pause = async (promise) => {
        // The visit has entered when its first synchronous part is done.
        await Promise.resolve();
        leave();
        advance();
        const result = await promise;
        await new Promise<void>((resolve) => {
          returning.push(() => {
            enter();
            resolve();
          });
          advance();
        });
        return result;
      };
      return { enter, leave, pause };
    };
    const follow = async (
      node: N,
      visiting: Promise<Visited>,
      { enter, leave }: Pick<ReturnType<typeof placeOf>, "enter" | "leave">,
    ) => {
      enter();
      unsettled++;
      try {
        const visited = await visiting.finally(leave);
        if (typeof visited !== "boolean") advance();
        settle(node, typeof visited === "boolean" ? visited : await visited.settled);
      } catch (reason) {
        failure ??= asError(reason);
      }
      unsettled--;
      advance();
    };
    advance();
  });
}

/** The maximum of nodes that the error of a stuck walk names. */
const SHOWN_NODES = 10;

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
