import type { ResourceGraph } from "../../core/documents/resource-graph";

/** Renders the dependencies of resources in the DOT language, in the layout of `terraform graph`. */
export function renderDot(graphs: readonly ResourceGraph[]): string {
  const [only, ...others] = graphs;
  const body =
    only && others.length === 0
      ? nodesAndEdges(only, "").map((line) => `  ${line}`)
      : graphs.flatMap((graph, index) => [
          `  subgraph "cluster_${index}" {`,
          `    label = ${quoted(graph.stack)}`,
          ...nodesAndEdges(graph, `${graph.stack}:`).map((line) => `    ${line}`),
          "  }",
        ]);
  return [
    "digraph G {",
    '  rankdir = "RL";',
    '  node [shape = rect, fontname = "sans-serif"];',
    ...body,
    "}",
    "",
  ].join("\n");
}

/** @param prefix - keeps the nodes of several stacks apart */
function nodesAndEdges({ resources }: ResourceGraph, prefix: string): readonly string[] {
  const id = (address: string) => quoted(prefix + address);
  return [
    ...resources.map(({ address }) => `${id(address)} [label=${quoted(address)}];`),
    ...resources.flatMap(({ address, dependencies }) =>
      dependencies.map((dependency) => `${id(address)} -> ${id(dependency)};`),
    ),
  ];
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
