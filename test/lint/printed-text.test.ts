import { Linter, type Rule } from "eslint";
import { parser } from "typescript-eslint";

let rule: Rule.RuleModule;
beforeAll(async () => {
  ({ printedText: rule } = await import("../../scripts/lint/printed-text.mjs"));
});

/** The problems of a file of src, by the names of the rule's messages. */
function problems(filename: string, code: string): readonly string[] {
  const linter = new Linter();
  const messages = linter.verify(
    code,
    [
      {
        files: ["**/*.ts"],
        languageOptions: { parser: parser },
        plugins: { local: { rules: { "printed-text": rule } } },
        rules: { "local/printed-text": "error" },
      },
    ],
    { filename },
  );
  return messages.map(({ messageId, message }) => messageId ?? message);
}

test.each([
  ["a cast", "src/cli/a.ts", "print(name as Printable);", "cast"],
  ["trust", "src/cli/a.ts", 'import { rendered } from "../core/printed";', "trusting"],
  [
    "trust in a review",
    "src/review/a.ts",
    'import { rendered } from "../core/printed";',
    "trusting",
  ],
  [
    "trust in a name of another folder",
    "src/review.ts",
    'import { verbatim } from "./core/printed";',
    "trusting",
  ],
  ["the output of the process", "src/cli/a.ts", "process.stdout.write(name);", "output"],
  ["a line break", "src/cli/a.ts", 'error("A", "b\\nc");', "lineBreak"],
  ["a line break in a template", "src/cli/a.ts", "warning(`a\\n${name}`);", "lineBreak"],
  ["a line break in a sum", "src/cli/a.ts", 'finding(name + "\\n");', "lineBreak"],
])("%s is a problem", (_, file, code, expected) => {
  expect(problems(file, code)).toEqual([expected]);
});

test.each([
  ["text of several lines that is escaped", "src/cli/a.ts", "error(printed`a\\n${name}`);"],
  [
    "trust where a text is rendered",
    "src/formats/a.ts",
    'import { rendered } from "../core/printed";',
  ],
  ["the shell around the output", "src/core/io/require-node.ts", "process.stdout.write(text);"],
  ["a string of one line", "src/cli/a.ts", "error(`a ${name}`);"],
])("%s is none", (_, file, code) => {
  expect(problems(file, code)).toEqual([]);
});
