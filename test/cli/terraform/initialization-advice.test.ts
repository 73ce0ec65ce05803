import { initializationAdvice } from "../../../src/cli/terraform/initialization-advice";

const advice = (output: string) => initializationAdvice(output, "/stack", "terraform").join("\n");

/** Terraform's text about a provider that it cannot find. */
const missing = (...sources: readonly string[]) =>
  [
    "Initializing provider plugins...",
    '- Finding hashicorp/null versions matching "3.2.3"...',
    "- cdktf-console/cwp is built in to Terraform",
    ...sources.map(
      (source) =>
        `\nError: Failed to query available provider packages\n\nCould not retrieve the list of available versions for\nprovider ${source}: could not connect to registry.terraform.io`,
    ),
  ].join("\n");

test("names each missing provider, and this program's only if it is missing", () => {
  expect(advice(missing("hashicorp/aws", "acme/thing"))).toMatch(
    /^The provider hashicorp\/aws is not a part of this program.*\nThe provider acme\/thing is not/,
  );
});

test.each([
  ["hashicorp/null", "--engine terraform --with-null"],
  ["registry.terraform.io/hashicorp/null", "--engine terraform --with-null"],
  ["cdktf-console/cwp", "is served by this program"],
  ["hashicorp/cwp", 'set "provider" to that name'],
])("has advice about %s", (source, expected) => {
  expect(advice(missing(source))).toContain(expected);
});

test("names the lock file if a checksum differs", () => {
  const output = "provider cdktf-console/cwp: doesn't\n│ match any of the checksums";
  expect(advice(output)).toContain("delete /stack/.terraform.lock.hcl");
});

test("has none about other errors", () => {
  expect(advice("- Finding hashicorp/null\n\nError: Unreadable module directory")).toBe("");
});
