/** A directed graph. An edge leads from a node to one that it depends on. */
export class Graph<N> {
  private readonly edges = new Map<N, Set<N>>();

  add(node: N): void {
    if (!this.edges.has(node)) this.edges.set(node, new Set());
  }

  /** Makes `node` depend on `dependency`. Adds both if they are new. */
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

  /** Returns the nodes with all their transitive dependencies. */
  closure(nodes: Iterable<N>): ReadonlySet<N> {
    const reached = new Set(nodes);
    // `reached` grows during the loop.
    for (const node of reached) {
      for (const dependency of this.dependencies(node)) reached.add(dependency);
    }
    return reached;
  }

  /** Returns the dependents of each node. */
  dependents(): ReadonlyMap<N, readonly N[]> {
    const reversed = new Map<N, N[]>([...this.edges.keys()].map((node) => [node, []]));
    for (const [node, dependencies] of this.edges) {
      for (const dependency of dependencies) reversed.get(dependency)?.push(node);
    }
    return reversed;
  }

  /** Sorts dependencies first. Nodes on a cycle, or behind one, are in `cyclic`. */
  order(): { ordered: readonly N[]; cyclic: ReadonlySet<N> } {
    const waiting = new Map<N, number>();
    for (const [node, dependencies] of this.edges) waiting.set(node, dependencies.size);
    const ordered = [...this.edges.keys()].filter((node) => waiting.get(node) === 0);
    const dependents = this.dependents();
    // `ordered` grows during the loop: nodes that become ready are appended.
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

  /** Returns cycles that share no node, each in the order of its references. */
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
      // Neither a found cycle nor a path to one is visited again.
      for (const node of path) left.delete(node);
    }
    return cycles;
  }
}
