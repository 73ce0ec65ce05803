import { stripVTControlCharacters } from "node:util";
import { error, warning, type Diagnostic } from "../../src/provider/diagnostics";
import { renderDiagnostic } from "../../src/review/text/diagnostic-text";
import { createStyle } from "../../src/review/text/style";

const plain = { style: createStyle(false), width: 80 };
const coloured = { style: createStyle(true), width: 80 };

const duplicate: Diagnostic = {
  ...error(
    "Duplicate policy name",
    "The policy name is used twice. Names tell the policies of a collection apart, so each may stand there once only.\n\n  policies[0].name",
    ["policies", 2, "name"],
  ),
  address: "cwp_compliance_policy_set.main",
  constructPath: "quickstart/policies",
};

test("without colour: summary, where it is, and what to do, wrapped at the terminal's width", () => {
  expect(renderDiagnostic(duplicate, plain)).toBe(`
Error: Duplicate policy name

  with cwp_compliance_policy_set.main (construct quickstart/policies), at
  policies[2].name:

The policy name is used twice. Names tell the policies of a collection apart,
so each may stand there once only.

  policies[0].name
`);
});

test("with colour: the same text in a box", () => {
  expect(stripVTControlCharacters(renderDiagnostic(duplicate, coloured))).toBe(`╷
│ Error: Duplicate policy name
│
│   with cwp_compliance_policy_set.main (construct quickstart/policies), at
│   policies[2].name:
│
│ The policy name is used twice. Names tell the policies of a collection apart,
│ so each may stand there once only.
│
│   policies[0].name
╵
`);
});

test("a warning that concerns no block is its summary and detail alone", () => {
  expect(renderDiagnostic(warning("Release is old", "Update it."), plain)).toBe(
    "\nWarning: Release is old\n\nUpdate it.\n",
  );
});

test.each([
  ["an attribute alone", error("S", "", ["a", "b c"]), '  at a["b c"]:'],
  ["a construct alone", { ...error("S", ""), constructPath: "app/x" }, "  with construct app/x:"],
  ["an address alone", { ...error("S", ""), address: "var.X" }, "  with var.X:"],
])("%s is named", (_, diagnostic, line) => {
  expect(renderDiagnostic(diagnostic, plain)).toBe(`\nError: S\n\n${line}\n`);
});

test("text that came from a console cannot drive the terminal", () => {
  const text = renderDiagnostic(
    error("Bad \x1b[2Jname\nApply complete!", "The \x1b]0;owned\x07 policy\r is here."),
    plain,
  );
  expect(text).toBe(
    "\nError: Bad \\x1b[2Jname\\nApply complete!\n\nThe \\x1b]0;owned\\a policy\\r is here.\n",
  );
});
