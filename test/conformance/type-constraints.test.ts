import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../src/core/diagnostics";
import { readVariables } from "../../src/language/config/value-blocks";
import { describeWithTerraform } from "../support/terraform";
import { resultOf } from "./expressions/executor-result";
import type { Result } from "./expressions/table";
import { plannedOutputs } from "./expressions/terraform-results";

interface Case {
  readonly type: string;
  readonly default: unknown;
}

/** Each line has a type, in which `↵` is a line break, and defaults in JSON, separated by tabs. */
const CASES: readonly Case[] = readFileSync(join(__dirname, "type-constraints.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .flatMap((line) => {
    const [type = "", ...values] = line.split("\t");
    return values.map((value) => ({
      type: type.replaceAll("↵", "\n"),
      default: JSON.parse(value) as unknown,
    }));
  });

/** Reads a variable as the executor does. */
async function executorResult(variable: Case): Promise<Result> {
  const diagnostics: Diagnostic[] = [];
  const variables = await readVariables({ v: variable }, diagnostics);
  const [problem] = diagnostics;
  return problem ? { error: problem.summary } : resultOf(variables?.get("v")?.default ?? null);
}

describeWithTerraform("both engines read a variable", () => {
  let expected: ReadonlyMap<string, Result>;
  beforeAll(() => {
    const files = CASES.map((variable, index) => {
      const name = `v${index}`;
      const block = {
        variable: { [name]: variable },
        locals: { [name]: `\${var.${name}}` },
        output: { [name]: { value: `\${local.${name}}`, sensitive: true } },
      };
      return { name, file: `${name}.tf.json`, text: JSON.stringify(block) };
    });
    expected = plannedOutputs(files);
  });

  test.each(CASES.map((variable, index) => [variable.type, variable.default, index] as const))(
    "of the type %j with the default %j",
    async (type, value, index) => {
      const result = await executorResult({ type, default: value });
      expect(result).toEqual(expected.get(`v${index}`));
    },
  );
});
