import { encodeDiagnostics } from "../../../src/plugin/values/diagnostics";
import { error, warning } from "../../../src/core/diagnostics";
import { list, object, optional, string } from "../../../src/core/schema/attribute";

const attributes = {
  name: optional(string(), ""),
  policies: optional(list(object({ name: optional(string(), "") })), ""),
};
const encode = (...diagnostics: Parameters<typeof encodeDiagnostics>[1]) =>
  encodeDiagnostics(attributes, diagnostics);

test("encodes the path of an attribute", () => {
  expect(encode(error("Invalid value", "Must not be empty.", ["name"]))).toEqual([
    {
      severity: 1,
      summary: "Invalid value",
      detail: "Must not be empty.",
      attribute: { steps: [{ attributeName: "name" }] },
    },
  ]);
});

test("adds the path of a nested attribute to the detail", () => {
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

test("keeps a detail that contains the path", () => {
  const detail = '"policies[1].name" is set by the provider.';
  expect(encode(error("Invalid", detail, ["policies", 1, "name"]))).toMatchObject([{ detail }]);
});

test("encodes no path for the whole object", () => {
  expect(encode(error("Gone", "It is gone."), error("Gone", "It is gone.", []))).toEqual([
    { severity: 1, summary: "Gone", detail: "It is gone.", attribute: undefined },
    { severity: 1, summary: "Gone", detail: "It is gone.", attribute: undefined },
  ]);
});
