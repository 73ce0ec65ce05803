import { describeWithTerraform } from "../../support/terraform";
import { executorResult } from "./executor-result";
import { readTable, writeTable } from "./table";
import { terraformResults } from "./terraform-results";

// RECORD_EXPRESSIONS=1 replaces the expected results by those of Terraform on PATH.
if (process.env.RECORD_EXPRESSIONS) {
  writeTable(terraformResults(readTable().map(({ expression }) => expression)));
}

const cases = readTable();

describe("the executor evaluates", () => {
  it.each(cases)("$expression", async ({ expression, expected }) => {
    const result = await executorResult(expression);
    if ("error" in expected) expect(result).toHaveProperty("error");
    else expect(result).toEqual(expected);
  });
});

describeWithTerraform("Terraform evaluates", () => {
  test("each expression to the expected result", () => {
    const results = terraformResults(cases.map(({ expression }) => expression));
    expect(cases.map(({ expression }) => [expression, results.get(expression)])).toEqual(
      cases.map(({ expression, expected }) => [expression, expected]),
    );
  });
});
