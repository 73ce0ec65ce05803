import { stripVTControlCharacters } from "node:util";
import { error, warning, type Diagnostic } from "../../../src/core/diagnostics";
import { printed } from "../../../src/core/printed";
import { renderDiagnostic } from "../../../src/formats/text/diagnostic-text";
import { createStyle } from "../../../src/formats/text/style";

const plain = { style: createStyle(false), width: 80 };
const coloured = { style: createStyle(true), width: 80 };

const duplicate: Diagnostic = {
  ...error(
    "Duplicate policy name",
    printed`The policy name is used twice. Policies are identified by their names, so a name must be unique in a collection.\n\n  policies[0].name`,
    ["policies", 2, "name"],
  ),
  address: "cwp_compliance_policy_set.main",
  constructPath: "quickstart/policies",
};

test("renders summary, location and detail without colour, wrapped at the width of the terminal", () => {
  expect(renderDiagnostic(duplicate, plain)).toBe(`
Error: Duplicate policy name

  with cwp_compliance_policy_set.main (construct quickstart/policies), at
  policies[2].name:

The policy name is used twice. Policies are identified by their names, so a
name must be unique in a collection.

  policies[0].name
`);
});

test("wraps indented lines at words in a box, but for what another program printed", () => {
  const words =
    "namespaces prod-pay: check 599 (container runs as root) blocks -> not checked; policy 2";
  const one = error("Protection gets weaker", printed`Stack "a".\n  ${words}\n  | ${words}`);
  const lines = stripVTControlCharacters(renderDiagnostic(one, coloured)).split("\n");
  expect(lines.slice(4, 7)).toEqual([
    "│   namespaces prod-pay: check 599 (container runs as root) blocks -> not",
    "│     checked; policy 2",
    `│   | ${words}`,
  ]);
});

test("renders the same text in a box with colour", () => {
  expect(stripVTControlCharacters(renderDiagnostic(duplicate, coloured))).toBe(`╷
│ Error: Duplicate policy name
│
│   with cwp_compliance_policy_set.main (construct quickstart/policies), at
│   policies[2].name:
│
│ The policy name is used twice. Policies are identified by their names, so a
│ name must be unique in a collection.
│
│   policies[0].name
╵
`);
});

test("renders a warning without a location", () => {
  expect(renderDiagnostic(warning("Release is old", "Update it."), plain)).toBe(
    "\nWarning: Release is old\n\nUpdate it.\n",
  );
});

test.each([
  ["an attribute alone", error("S", "", ["a", "b c"]), '  at a["b c"]:'],
  ["a construct alone", { ...error("S", ""), constructPath: "app/x" }, "  with construct app/x:"],
  ["an address alone", { ...error("S", ""), address: "var.X" }, "  with var.X:"],
])("names %s", (_, diagnostic, line) => {
  expect(renderDiagnostic(diagnostic, plain)).toBe(`\nError: S\n\n${line}\n`);
});

test("escapes text that would control the terminal", () => {
  const text = renderDiagnostic(
    error("Bad \x1b[2Jname\nApply complete!", "The \x1b]0;owned\x07 policy\r is here."),
    plain,
  );
  expect(text).toBe(
    "\nError: Bad \\x1b[2Jname\\nApply complete!\n\nThe \\x1b]0;owned\\a policy\\r is here.\n",
  );
});
