import { describeWithTerraform } from "../../support/terraform";
import { executorResult } from "./executor-result";
import { readTable, writeTable } from "./table";
import { terraformResults } from "./terraform-results";

if (process.env.RECORD_EXPRESSIONS) {
  writeTable(terraformResults(readTable().map(({ expression }) => expression)));
}
const table = readTable();

describe("the executor evaluates", () => {
  it.each(table)("$expression", async ({ expression, expected }) => {
    const result = await executorResult(expression);
    if ("error" in expected) expect(result).toHaveProperty("error");
    else expect(result).toMatchObject({ value: expected.value });
  });
});

describeWithTerraform("Terraform evaluates", () => {
  it("each expression of the table to the same result", () => {
    const results = terraformResults(table.map(({ expression }) => expression));
    expect(table.map(({ expression }) => [expression, results.get(expression)])).toEqual(
      table.map(({ expression, expected }) => [expression, expected]),
    );
  });
});
