import { parse as parseHcl } from "@cdktn/hcl2json";
import { parse as parseCsv } from "csv-parse/sync";
import { parse as parseYaml } from "yaml";
import { BLOCKS } from "./support/pages";

/**
 * The languages of blocks, with the check of those that have one here. Commands and TypeScript have
 * their own tests; test/cdktf-cli/guides-run.test.ts runs Python and Go, and test/first-steps/run.ts
 * makes the changes of the tutorial.
 */
const CHECKS: Readonly<Record<string, ((text: string) => unknown) | undefined>> = {
  csv: (text) => parseCsv(text),
  diff: undefined,
  go: undefined,
  json: (text) => JSON.parse(text) as unknown,
  python: undefined,
  sh: undefined,
  shell: undefined,
  terraform: (text) => parseHcl("block.tf", text),
  text: undefined, // Output and pictures.
  ts: undefined,
  typescript: undefined,
  yaml: (text) => parseYaml(text) as unknown,
};

test("every block has a language", () => {
  const others = BLOCKS.filter(({ language }) => !(language in CHECKS));
  expect(others.map(({ place, language }) => `${place}: "${language}"`)).toEqual([]);
});

test("every block of data is valid", async () => {
  const problems: string[] = [];
  for (const { place, language, text } of BLOCKS) {
    try {
      await CHECKS[language]?.(text);
    } catch (failure) {
      problems.push(`${place}: ${String(failure)}`);
    }
  }
  expect(problems).toEqual([]);
});
