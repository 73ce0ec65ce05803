import { encodeDiagnostics } from "../../../src/plugin/values/diagnostics";
import { error, warning } from "../../../src/provider/diagnostics";
import { list, object, optional, string } from "../../../src/provider/schema/attribute";

const attributes = {
  name: optional(string(), ""),
  policies: optional(list(object({ name: optional(string(), "") })), ""),
};
const encode = (...diagnostics: Parameters<typeof encodeDiagnostics>[1]) =>
  encodeDiagnostics(attributes, diagnostics);

test("an attribute is pointed at, which is enough for Terraform to find its line", () => {
  expect(encode(error("Invalid value", "Must not be empty.", ["name"]))).toEqual([
    {
      severity: 1,
      summary: "Invalid value",
      detail: "Must not be empty.",
      attribute: { steps: [{ attributeName: "name" }] },
    },
  ]);
});

test("what is inside an attribute is named in the text, too: Terraform points at the resource", () => {
  const steps = [{ attributeName: "policies" }, { elementKeyInt: 1 }, { attributeName: "name" }];
  expect(encode(warning("Odd", "Must not be empty.", ["policies", 1, "name"]))).toEqual([
    {
      severity: 2,
      summary: "Odd",
      detail: "policies[1].name: Must not be empty.",
      attribute: { steps },
    },
  ]);
});

test("a text that names it already stays as it is", () => {
  const detail = '"policies[1].name" is set by the provider.';
  expect(encode(error("Invalid", detail, ["policies", 1, "name"]))).toMatchObject([{ detail }]);
});

test("what is about the whole object has no place", () => {
  expect(encode(error("Gone", "It is gone."), error("Gone", "It is gone.", []))).toEqual([
    { severity: 1, summary: "Gone", detail: "It is gone.", attribute: undefined },
    { severity: 1, summary: "Gone", detail: "It is gone.", attribute: undefined },
  ]);
});
