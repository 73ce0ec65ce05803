import fc from "fast-check";
import { forgetSecrets, hideSecrets, useSecrets } from "../../src/core/io/secrets-in-use";
import { redact } from "../../src/core/redact";
import { cases } from "../support/cases";

afterEach(forgetSecrets);

const codeOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16);
const percent = (character: string) =>
  Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const units = (character: string) =>
  Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");

/** How servers write one character: as it is, and escaped for URLs, JSON and HTML. */
const WRITINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  percent,
  (character) => percent(character).toUpperCase(),
  units,
  (character) =>
    units(character).replace(/u(.*)/g, (_, digits: string) => `u${digits.toUpperCase()}`),
  (character) => (/["'/\\]/.test(character) ? `\\${character}` : units(character)),
  (character) => `&#${parseInt(codeOf(character), 16)};`,
  (character) => `&#0${parseInt(codeOf(character), 16)};`,
  (character) => `&#x${codeOf(character)};`,
  (character) => `&#X${codeOf(character).toUpperCase()};`,
];
const characters = fc.constantFrom(...Array.from(`abZ09 !"#$&'()*+,/:;<=>?@[]^{|}~-_é中😀`));
const writing = fc.record({ character: characters, by: fc.nat(WRITINGS.length - 1) });

test("a secret is hidden in any mixture of escapes", () => {
  fc.assert(
    fc.property(fc.array(writing, { minLength: 9, maxLength: 16 }), (secret) => {
      const text = secret.map(({ character }) => character).join("");
      const written = secret.map(({ character, by }) => WRITINGS[by]?.(character)).join("");
      expect(redact(`it is "${written}".`, [text])).toBe('it is "[redacted]".');
      forgetSecrets();
      useSecrets([text]);
      expect(hideSecrets(`it is "${written}".`)).toBe('it is "[redacted]".');
    }),
    { numRuns: cases(300) },
  );
});

test.each([
  ["Django", "it&#x27;s-4-Secret/1"],
  ["PHP", "it&#039;s-4-Secret/1"],
  ["JSON of PHP", "it's-4-Secret\\/1"],
  ["JSON of .NET", "it\\u0027s-4-Secret/1"],
  ["quote of Python", "it%27s-4-Secret/1"],
  ["lower-case digits of a URL", "it%27s-4-secret%2f1".replace("secret", "Secret")],
])("a secret is hidden as %s writes it", (_, written) => {
  expect(redact(`refused: ${written}`, ["it's-4-Secret/1"])).toBe("refused: [redacted]");
});

test("a text without a secret stays, whatever escapes it has", () => {
  const texts = ["%zz %", "&#99999999; &#x110000; &no;", "\\u12 \\", "%c3%28", "a&amp;b %41"];
  for (const text of texts) expect(redact(text, ["canary-canary"])).toBe(text);
});
