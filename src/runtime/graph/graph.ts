/** A directed graph. An edge leads from a node to one that it depends on. */
export class Graph<N> {
  private readonly edges = new Map<N, Set<N>>();

  add(node: N): void {
    if (!this.edges.has(node)) this.edges.set(node, new Set());
  }

  /** `node` waits for `dependency`. Adds both where they are new. */
  connect(node: N, dependency: N): void {
    this.add(node);
    this.add(dependency);
    this.edges.get(node)?.add(dependency);
  }

  nodes(): Iterable<N> {
    return this.edges.keys();
  }

  dependencies(node: N): ReadonlySet<N> {
    return this.edges.get(node) ?? new Set();
  }

  /** These nodes and all that they depend on, at any distance. */
  closure(nodes: Iterable<N>): ReadonlySet<N> {
    const reached = new Set(nodes);
    // Grows while it is walked.
    for (const node of reached) {
      for (const dependency of this.dependencies(node)) reached.add(dependency);
    }
    return reached;
  }

  /** Who depends on each node, the edges turned round. */
  dependents(): ReadonlyMap<N, readonly N[]> {
    const reversed = new Map<N, N[]>([...this.edges.keys()].map((node) => [node, []]));
    for (const [node, dependencies] of this.edges) {
      for (const dependency of dependencies) reversed.get(dependency)?.push(node);
    }
    return reversed;
  }

  /** Dependencies first. What is on a cycle, or behind one, is in `cyclic` instead. */
  order(): { ordered: readonly N[]; cyclic: ReadonlySet<N> } {
    const waiting = new Map<N, number>();
    for (const [node, dependencies] of this.edges) waiting.set(node, dependencies.size);
    const ordered = [...this.edges.keys()].filter((node) => waiting.get(node) === 0);
    const dependents = this.dependents();
    // `ordered` grows while it is walked: what becomes ready is appended.
    for (const node of ordered) {
      waiting.delete(node);
      for (const dependent of dependents.get(node) ?? []) {
        const left = (waiting.get(dependent) ?? 0) - 1;
        waiting.set(dependent, left);
        if (left === 0) ordered.push(dependent);
      }
    }
    return { ordered, cyclic: new Set(waiting.keys()) };
  }

  /** Cycles that share no node, each in the order of its references. */
  cycles(): readonly (readonly N[])[] {
    const { cyclic } = this.order();
    const left = new Set(cyclic);
    const cycles: N[][] = [];
    for (const start of cyclic) {
      const path = new Set<N>();
      let current: N | undefined = start;
      while (current !== undefined && left.has(current) && !path.has(current)) {
        path.add(current);
        current = [...this.dependencies(current)].find((next) => left.has(next));
      }
      if (current !== undefined && path.has(current)) {
        const steps = [...path];
        cycles.push(steps.slice(steps.indexOf(current)));
      }
      // Neither a cycle that has been told nor what only leads to one is looked at again.
      for (const node of path) left.delete(node);
    }
    return cycles;
  }
}
