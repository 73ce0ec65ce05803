import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DOCS, providerDocs } from "../../scripts/generate/docs";
import { cwpProvider } from "../../src/provider/cwp-provider";
import type { Attributes } from "../../src/core/schema/attribute";
import { nestedAttributes } from "../../src/core/schema/terraform";

const { files, folders } = providerDocs();
const guides = readdirSync(join(DOCS, "guides")).map((name) => join(DOCS, "guides", name));

const definitions = [
  ["index.md", cwpProvider.configuration] as const,
  ...cwpProvider.resources.map(({ type, attributes }) => entry("resources", type, attributes)),
  ...cwpProvider.dataSources.map((one) => entry("data-sources", one.type, one.attributes)),
  ...cwpProvider.ephemeralResources.map((one) =>
    entry("ephemeral-resources", one.type, one.attributes),
  ),
  ...cwpProvider.actions.map(({ type, attributes }) => entry("actions", type, attributes)),
];

function entry(folder: string, type: string, attributes: Attributes) {
  return [`${folder}/${type.replace("cwp_", "")}.md`, attributes] as const;
}

test("has the generated pages and no others", () => {
  const found = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  expect([...found, join(DOCS, "index.md")].sort()).toEqual([...files.keys()].sort());
  for (const [path, text] of files) expect(readFileSync(path, "utf8")).toBe(text);
});

test.each(definitions)("%s has every attribute, at every depth", (name, attributes) => {
  const page = files.get(join(DOCS, name)) ?? "";
  const lines = page.split("\n").filter((line) => /^- `\w+` \(/.test(line));
  expect(lines.map((line) => line.split("`")[1]).sort()).toEqual(namesIn(attributes).sort());
});

function namesIn(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, { type }]) => [
    name,
    ...namesIn(nestedAttributes(type) ?? {}),
  ]);
}

test("writes constraints, defaults and facets into lines", () => {
  const lines = (name: string) => files.get(join(DOCS, name))?.split("\n") ?? [];
  expect(lines("resources/compliance_policy_set.md")).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^- `ownership` \(String\) .* Possible values: `exclusive`, `prefix`, `suffix`\. Default: `"exclusive"`\. A change replaces the object\.$/,
      ),
      expect.stringMatching(
        /^- `policies` \(Attributes List\) .* \(see \[below for nested schema\]\(#nestedatt--policies\)\)$/,
      ),
      expect.stringMatching(/^- `checks` \(Map of Boolean\) /),
      expect.stringMatching(/^- `hosts` \(Set of String\) .* Default: `\["\*"\]`\.$/),
    ]),
  );
  expect(lines("resources/license.md")).toContainEqual(
    expect.stringMatching(/^- `key` \(String, \[Write-only\]\(/),
  );
  expect(lines("index.md")).toContainEqual(
    expect.stringMatching(/^- `password` \(String, Sensitive\) /),
  );
  expect(lines("resources/registry_scan.md")).toContainEqual(
    expect.stringMatching(/^- Inline credentials: refused from release 20\.09 on \(.*9\.1/),
  );
});

test("has the registry's front matter on every page", () => {
  for (const path of [...files.keys(), ...guides]) {
    const text = readFileSync(path, "utf8");
    expect([path, text]).toEqual([
      path,
      expect.stringMatching(
        /^---\n(?:#.*\n)?page_title: ".+"\nsubcategory: ".*"\ndescription: \|-\n {2}.+\n---\n\n# /,
      ),
    ]);
  }
});
