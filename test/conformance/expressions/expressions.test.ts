import { describeWithTofu, TOFU } from "../../opentofu/install";
import { describeWithTerraform } from "../../support/terraform";
import { executorResult } from "./executor-result";
import { readOpenTofuTable, readTable, writeOpenTofuTable, writeTable, type Case } from "./table";
import { terraformResults } from "./terraform-results";

const expressionsOf = (cases: readonly Case[]) => cases.map(({ expression }) => expression);

// RECORD_EXPRESSIONS=1 replaces the expected results by those of Terraform on PATH, and those that
// are different with OpenTofu.
if (process.env.RECORD_EXPRESSIONS) {
  const expressions = expressionsOf(readTable());
  writeTable(terraformResults(expressions));
  writeOpenTofuTable(terraformResults(expressions, TOFU));
}

describe("the executor evaluates", () => {
  it.each(readTable())("$expression", async ({ expression, expected }) => {
    const result = await executorResult(expression);
    if ("error" in expected) expect(result).toHaveProperty("error");
    else expect(result).toEqual(expected);
  });
});

function evaluates(program: string, cases: readonly Case[]): void {
  const results = terraformResults(expressionsOf(cases), program);
  expect(cases.map(({ expression }) => [expression, results.get(expression)])).toEqual(
    cases.map(({ expression, expected }) => [expression, expected]),
  );
}

describeWithTerraform("Terraform evaluates", () => {
  test("each expression to the expected result", () => {
    evaluates("terraform", readTable());
  });
});

describeWithTofu("OpenTofu evaluates", () => {
  test("each expression to the result of Terraform, or to one that is known to differ", () => {
    evaluates(TOFU, readOpenTofuTable());
  });
});
