import dagre, { type GraphLabel } from "@dagrejs/dagre";
import type { ResourceDependencies } from "../../core/documents/stack-plan";

/** A dependency graph, laid out from left to right. */
export interface GraphPicture {
  readonly width: number;
  readonly height: number;
  /** The middle of each node, by resource. */
  readonly nodes: ReadonlyMap<string, Point>;
  /** From a resource to one that depends on it. */
  readonly edges: readonly (readonly Point[])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const NODE = { width: 240, height: 46 };

/** A larger picture is not readable, and takes seconds to lay out. */
const MOST_NODES = 80;

export type DrawGraph = (dependencies: readonly ResourceDependencies[]) => GraphPicture | undefined;

/**
 * Creates a function that lays out graphs: undefined for one that is too large or has one resource
 * only. Equal graphs of a fleet are laid out once.
 */
export function graphLayout(): DrawGraph {
  const known = new Map<string, GraphPicture>();

  function layOut(dependencies: readonly ResourceDependencies[]): GraphPicture {
    const graph = new dagre.graphlib.Graph<
      GraphLabel,
      typeof NODE & Partial<Point>,
      { points?: Point[] }
    >();
    graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 44, marginx: 6, marginy: 6 });
    // Numbers name the nodes: the library keeps names in plain objects.
    const numbers = new Map(dependencies.map(({ resource }, index) => [resource, String(index)]));
    const numberOf = (resource: string) => numbers.get(resource) ?? "";
    for (const number of numbers.values()) graph.setNode(number, { ...NODE });
    for (const { resource, needs } of withoutShortcuts(dependencies)) {
      for (const need of needs) graph.setEdge(numberOf(need), numberOf(resource), {});
    }
    dagre.layout(graph);
    const { width = 0, height = 0 } = graph.graph();
    const nodes = dependencies.map(({ resource }) => {
      const { x = 0, y = 0 } = graph.node(numberOf(resource));
      return [resource, { x, y }] as const;
    });
    const edges = graph.edges().map((edge) => graph.edge(edge).points ?? []);
    return { width, height, nodes: new Map(nodes), edges };
  }

  return (dependencies) => {
    if (dependencies.length < 2 || dependencies.length > MOST_NODES) return undefined;
    const key = JSON.stringify(dependencies);
    const picture = known.get(key) ?? layOut(dependencies);
    known.set(key, picture);
    return picture;
  };
}

/** Leaves out edges that a longer path implies, and edges to resources that are not drawn. */
function withoutShortcuts(
  dependencies: readonly ResourceDependencies[],
): readonly ResourceDependencies[] {
  const needsOf = new Map(dependencies.map(({ resource, needs }) => [resource, needs]));
  const reached = (start: string): ReadonlySet<string> => {
    const found = new Set(needsOf.get(start));
    // The set grows during the iteration.
    for (const resource of found) for (const need of needsOf.get(resource) ?? []) found.add(need);
    return found;
  };
  return dependencies.map(({ resource, needs }) => {
    const further = new Set(needs.flatMap((need) => [...reached(need)]));
    return {
      resource,
      needs: needs.filter((need) => needsOf.has(need) && !further.has(need)),
    };
  });
}
