/** Nodes that wait to be visited: those of the lowest rank first, equal ones in the order of `add`. */
export class ReadyQueue<N> {
  /** A binary heap: no entry comes before its parent, which is at half of its index. */
  private readonly heap: Entry<N>[] = [];
  private added = 0;

  constructor(private readonly rank: (node: N) => number) {}

  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  add(node: N): void {
    const entry = { node, rank: this.rank(node), added: this.added++ };
    let at = this.heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.heap[above];
      if (!parent || !isBefore(entry, parent)) break;
      this.heap[at] = parent;
      this.heap[above] = entry;
      at = above;
    }
  }

  /** Removes the first node. Undefined if there is none. */
  take(): N | undefined {
    const [first] = this.heap;
    const last = this.heap.pop();
    if (first && last && this.heap.length > 0) this.sink(last);
    return first?.node;
  }

  /** Puts an entry in place of the first one. */
  private sink(entry: Entry<N>): void {
    let at = 0;
    this.heap[0] = entry;
    for (;;) {
      const left = 2 * at + 1;
      const [first, second] = [this.heap[left], this.heap[left + 1]];
      if (!first) return;
      const isSecond = second !== undefined && isBefore(second, first);
      const child = isSecond ? second : first;
      if (!isBefore(child, entry)) return;
      this.heap[at] = child;
      at = isSecond ? left + 1 : left;
      this.heap[at] = entry;
    }
  }
}

interface Entry<N> {
  readonly node: N;
  readonly rank: number;
  readonly added: number;
}

function isBefore<N>(a: Entry<N>, b: Entry<N>): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.added < b.added);
}
