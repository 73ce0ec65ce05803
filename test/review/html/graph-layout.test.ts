import { graphLayout } from "../../../src/review/html/graph-layout";

const chain = (length: number) =>
  Array.from({ length }, (_, index) => ({
    resource: `r${index}`,
    needs: Array.from({ length: index }, (_, earlier) => `r${earlier}`),
  }));

describe("the picture of the dependencies", () => {
  const draw = graphLayout();

  test("what comes first is on the left, and a longer way makes shortcuts plain", () => {
    const picture = draw(chain(4))!;
    const columns = [...picture.nodes.values()].map(({ x }) => x);
    expect(columns).toEqual([...columns].sort((a, b) => a - b));
    expect(picture.edges).toHaveLength(3);
  });

  test("what is not among the resources is not drawn", () => {
    const picture = draw([
      { resource: "a", needs: ["gone"] },
      { resource: "b", needs: ["a", "gone"] },
    ]);
    expect([...picture!.nodes.keys()]).toEqual(["a", "b"]);
    expect(picture!.edges).toHaveLength(1);
  });

  test("there is none of one resource, nor of too many", () => {
    expect(draw(chain(1))).toBeUndefined();
    expect(draw(chain(81))).toBeUndefined();
  });

  test("graphs that look alike are laid out once", () => {
    expect(draw(chain(5))).toBe(draw(chain(5)));
  });
});
