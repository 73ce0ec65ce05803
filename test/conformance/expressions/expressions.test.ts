import { describeWithTerraform } from "../../support/terraform";
import { executorResult } from "./executor-result";
import { readTable, writeTable, type Case, type Table } from "./table";
import { terraformResults } from "./terraform-results";

const TABLES: readonly Table[] = ["table", "open"];

// RECORD_EXPRESSIONS=1 replaces the expected results by those of Terraform on PATH.
if (process.env.RECORD_EXPRESSIONS) {
  for (const table of TABLES) {
    const expressions = readTable(table).map(({ expression }) => expression);
    writeTable(table, terraformResults(expressions));
  }
}

async function agrees({ expression, expected }: Case): Promise<void> {
  const result = await executorResult(expression);
  if ("error" in expected) expect(result).toHaveProperty("error");
  else expect(result).toMatchObject({ value: expected.value });
}

describe("the executor evaluates", () => {
  it.each(readTable("table"))("$expression", agrees);
});

describe("the executor does not evaluate yet; move what passes to table.tsv", () => {
  it.failing.each(readTable("open"))("$expression", agrees);
});

describeWithTerraform("Terraform evaluates", () => {
  it.each(TABLES)("each expression of %s.tsv to the expected result", (table) => {
    const cases = readTable(table);
    const results = terraformResults(cases.map(({ expression }) => expression));
    expect(cases.map(({ expression }) => [expression, results.get(expression)])).toEqual(
      cases.map(({ expression, expected }) => [expression, expected]),
    );
  });
});
