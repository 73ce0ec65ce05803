import { graphLayout } from "../../../src/review/html/graph-layout";

const chain = (length: number) =>
  Array.from({ length }, (_, index) => ({
    resource: `r${index}`,
    needs: Array.from({ length: index }, (_, earlier) => `r${earlier}`),
  }));

describe("the layout of dependencies", () => {
  const draw = graphLayout();

  test("places dependencies on the left and leaves out implied edges", () => {
    const picture = draw(chain(4))!;
    const columns = [...picture.nodes.values()].map(({ x }) => x);
    expect(columns).toEqual([...columns].sort((a, b) => a - b));
    expect(picture.edges).toHaveLength(3);
  });

  test("leaves out edges to resources that are not in the graph", () => {
    const picture = draw([
      { resource: "a", needs: ["gone"] },
      { resource: "b", needs: ["a", "gone"] },
    ]);
    expect([...picture!.nodes.keys()]).toEqual(["a", "b"]);
    expect(picture!.edges).toHaveLength(1);
  });

  test("takes any names", () => {
    const picture = draw(
      ["", "__proto__", "constructor"].map((resource) => ({ resource, needs: [""] })),
    );
    expect([...picture!.nodes.keys()]).toEqual(["", "__proto__", "constructor"]);
  });

  test("is undefined for one resource and for too many", () => {
    expect(draw(chain(1))).toBeUndefined();
    expect(draw(chain(81))).toBeUndefined();
  });

  test("lays out equal graphs once", () => {
    expect(draw(chain(5))).toBe(draw(chain(5)));
  });
});
