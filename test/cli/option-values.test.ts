import fc from "fast-check";
import { commandWords } from "../../src/cli/command-line/option-values";

test.each([
  ["find-secrets --vault tenants", ["find-secrets", "--vault", "tenants"]],
  [`  'a b'  "c \\"d\\" $HOME" e\\ f`, ["a b", 'c "d" $HOME', "e f"]],
  [`--x='1 2'"3"`, ["--x=1 23"]],
  ["run '' ''", ["run", "", ""]],
])("the words of %s", (text, words) => {
  expect(commandWords(text)).toEqual(words);
});

test.each(["", "  ", "a 'b", 'a "b', "a\\"])("%j is no command", (text) => {
  expect(() => commandWords(text)).toThrow("program and its arguments");
});

test("words in single quotes are read as they were written", () => {
  const word = fc.string().filter((text) => !text.includes("'"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      expect(commandWords(words.map((text) => `'${text}'`).join(" "))).toEqual(words);
    }),
  );
});
