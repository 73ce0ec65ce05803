import { typeErrors } from "./support/compile-blocks";
import { blocksOf, type Block } from "./support/pages";

const WRONG: Block = {
  place: "wrong.md:7",
  page: "wrong.md",
  line: 7,
  language: "ts",
  text: 'new License(stack, "license", {\n  clef: 1,\n});\n',
};

test("every block of TypeScript compiles against the types of the package", () => {
  const blocks = blocksOf("ts", "typescript");
  expect(blocks.length).toBeGreaterThan(20);
  // The wrong block shows that errors are found, and have the line of the page.
  expect(typeErrors([...blocks, WRONG])).toEqual([expect.stringMatching(/^wrong\.md:9: .*'clef'/)]);
});
