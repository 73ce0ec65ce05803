import { describeWithTofu, TOFU } from "../../opentofu/install";
import { LONG_TESTS, slice } from "../../support/cases";
import { describeWithTerraform } from "../../support/terraform";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../../terraform-1.15/install";
import { executorResult } from "./executor-result";
import { readTable, readTableOf, writeTable, writeTableOf, type Case } from "./table";
import { terraformResults } from "./terraform-results";

const expressionsOf = (cases: readonly Case[]) => cases.map(({ expression }) => expression);

// RECORD_EXPRESSIONS=1 replaces the expected results by those of Terraform on PATH, and those that
// are different with OpenTofu and with Terraform 1.15.
if (process.env.RECORD_EXPRESSIONS) {
  const expressions = expressionsOf(readTable());
  writeTable(terraformResults(expressions));
  writeTableOf("opentofu", terraformResults(expressions, TOFU));
  writeTableOf("terraform-1.15", terraformResults(expressions, TERRAFORM_1_15));
}

describe("the executor evaluates", () => {
  test.each(readTable())("$expression", async ({ expression, expected }) => {
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

// The results are of programs of fixed releases, and change with the table only.
describeWithTerraform("Terraform evaluates", () => {
  test("each expression to the expected result", () => {
    evaluates("terraform", slice(readTable(), 20));
  });
});

if (LONG_TESTS) {
  describeWithTofu("OpenTofu evaluates", () => {
    test("each expression to the result of Terraform, or to one that is known to differ", () => {
      evaluates(TOFU, readTableOf("opentofu"));
    });
  });

  describeWithTerraform115("Terraform 1.15 evaluates", () => {
    test("each expression to the result of Terraform 1.11, or to one that is known to differ", () => {
      evaluates(TERRAFORM_1_15, readTableOf("terraform-1.15"));
    });
  });
}
