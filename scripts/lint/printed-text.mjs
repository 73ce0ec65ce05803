/*
 * Keeps text from outside away from outputs unless src/core/printed.ts has escaped it. The types of
 * the outputs ask for such text; this rule forbids the ways around the types.
 */

/** The reviews that are written to files. */
const REVIEWS = "src/cli/stacks/render-reviews.ts";

/** Functions that trust their text, and the folders and files that may call them. */
const TRUSTING = new Map([
  ["rendered", ["src/formats/", "src/upgrade/report/", "src/cli/command-line/", "src/cli/run.ts"]],
  ["documentText", [REVIEWS]],
  ["verbatim", ["src/cli/terminal/", "src/cli/command-line/internal-error.ts", REVIEWS]],
]);

/** The shells around the outputs of the process. */
const OUTPUTS = [
  "src/cli/terminal/process-terminal.ts",
  "src/core/io/require-node.ts",
  "src/core/io/standard-input.ts",
  "src/plugin/",
];

/** Functions whose texts are one line each, unless they are made with `printed`. */
const DIAGNOSTICS = new Set(["error", "warning", "finding", "withParagraph"]);

const isIn = (file, places) => places.some((place) => file.includes(place));

const hasLineBreak = (node) =>
  (node.type === "Literal" && typeof node.value === "string" && node.value.includes("\n")) ||
  (node.type === "TemplateLiteral" &&
    node.quasis.some(({ value }) => value.cooked?.includes("\n"))) ||
  (node.type === "BinaryExpression" && [node.left, node.right].some(hasLineBreak));

export const printedText = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      cast: "Only src/core/printed.ts makes text that may be printed.",
      trusting: "{{name}} trusts its text. Use printed, block or prose.",
      output: "Print to the Screen, which takes escaped text.",
      lineBreak: "A string is one line. Use printed for text of several lines.",
    },
  },
  create(context) {
    const file = context.filename.replaceAll("\\", "/");
    return {
      "TSAsExpression > TSTypeReference[typeName.name=/^Print(ed|able)$/]"(node) {
        context.report({ node, messageId: "cast" });
      },
      "ImportDeclaration[source.value=/core.printed$/] > ImportSpecifier"(node) {
        const { name } = node.imported;
        if (!TRUSTING.has(name) || isIn(file, TRUSTING.get(name))) return;
        context.report({ node, messageId: "trusting", data: { name } });
      },
      "MemberExpression[object.name='process'][property.name=/^std(out|err)$/]"(node) {
        if (!isIn(file, OUTPUTS)) context.report({ node, messageId: "output" });
      },
      "CallExpression[callee.type='Identifier']"(node) {
        if (!DIAGNOSTICS.has(node.callee.name)) return;
        for (const argument of node.arguments.filter(hasLineBreak)) {
          context.report({ node: argument, messageId: "lineBreak" });
        }
      },
    };
  },
};
