import fc from "fast-check";
import { Graph } from "../../../src/runtime/graph/graph";

function graphOf(edges: readonly (readonly [string, string])[]): Graph<string> {
  const graph = new Graph<string>();
  for (const [node, dependency] of edges) graph.connect(node, dependency);
  return graph;
}

describe("a graph", () => {
  test("orders dependencies first", () => {
    const graph = graphOf([
      ["c", "b"],
      ["b", "a"],
      ["c", "a"],
    ]);
    expect(graph.order()).toEqual({ ordered: ["a", "b", "c"], cyclic: new Set() });
  });

  test.each([
    [[["a", "a"]], [["a"]]],
    [
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
        ["d", "a"],
      ],
      [["a", "b", "c"]],
    ],
    [
      [
        ["d", "a"],
        ["a", "b"],
        ["b", "a"],
        ["x", "y"],
        ["y", "x"],
      ],
      [
        ["a", "b"],
        ["x", "y"],
      ],
    ],
    [[["a", "b"]], []],
  ] as [[string, string][], string[][]][])("finds the cycles of %j", (edges, cycles) => {
    expect(graphOf(edges).cycles()).toEqual(cycles);
  });

  test("orders every node after its dependencies, or reports it as cyclic", () => {
    const node = fc.integer({ min: 0, max: 12 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 30 }), (edges) => {
        const graph = graphOf(edges);
        const { ordered, cyclic } = graph.order();
        const position = new Map(ordered.map((one, index) => [one, index]));
        for (const [from, to] of edges) {
          const [before, after] = [position.get(to), position.get(from)];
          if (after === undefined) expect(cyclic).toContain(from);
          else expect(before).toBeLessThan(after);
        }
        expect(ordered.length + cyclic.size).toBe([...graph.nodes()].length);
        expect(graph.cycles().length > 0).toBe(cyclic.size > 0);
        for (const cycle of graph.cycles()) {
          cycle.forEach((one, index) => {
            expect(graph.dependencies(one)).toContain(cycle[(index + 1) % cycle.length]);
          });
        }
      }),
    );
  });
});
