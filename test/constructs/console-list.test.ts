import { TerraformVariable } from "cdktf";
import { ConsoleList, type ConsoleListProps, ConsoleProvider, Secret } from "../../src";
import { findings, synthStack } from "./synth";

const listsOf =
  (...all: readonly ConsoleListProps[]) =>
  () =>
    synthStack((stack) => {
      new ConsoleProvider(stack, "console");
      all.forEach((props, index) => {
        new ConsoleList(stack, `list-${index}`, props);
      });
    });

const kind = "admission_policy";
const entries = [{ name: "one", scope: { anyCase_x: ["a", 1, true, null] } }];

test("writes the JSON of the entries as it is, with tokens", () => {
  const { resource } = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const name = new TerraformVariable(stack, "name", { type: "string" });
    const props = {
      kind,
      entries: [...entries, { name: name.stringValue, more: name.numberValue }],
    };
    new ConsoleList(stack, "list", props);
  });
  expect(resource.cwp_list?.list?.entries).toEqual([
    ...entries,
    { name: "${var.name}", more: "${var.name}" },
  ]);
});

test("takes secrets in writeOnly only, and no literal there but the key", () => {
  const key = Secret.fromEnv("API_KEY");
  const { resource, variable } = listsOf({
    kind,
    entries,
    writeOnly: [{ name: "one", token: { plain: key } }],
  })();
  expect(resource.cwp_list?.["list-0"]?.write_only).toEqual([
    { name: "one", token: { plain: "${var.API_KEY}" } },
  ]);
  expect(variable?.API_KEY).toMatchObject({ ephemeral: true });
  expect(findings(listsOf({ kind, entries: [{ name: "one", token: key }] }))).toEqual([
    expect.stringContaining("entries[0].token: Secret in a prop that is stored in the state"),
  ]);
  const literal = [{ name: "one", token: { plain: "abc" } }];
  expect(findings(listsOf({ kind, entries, writeOnly: literal }))).toEqual([
    expect.stringContaining("writeOnly[0].token.plain: Secret as plain text"),
  ]);
});

test("reports errors of entries with their places", () => {
  expect(findings(listsOf({ kind, entries: [...entries, ...entries] }))).toEqual([
    expect.stringContaining("entries[1].name: Duplicate name. Entries 1 and 2 of entries"),
  ]);
  expect(findings(listsOf({ path: "settings/registry", unlisted: true, entries }))).toEqual([
    expect.stringContaining("path: Path of another resource. cwp_registry_scan manages"),
  ]);
});

test("refuses two lists of one path, however they name it", () => {
  const suffix = { kind, ownership: "suffix", entries } as const;
  const prefix = { path: "policies/admission", ownership: "prefix", entries } as const;
  expect(findings(listsOf(suffix, prefix))).toEqual([
    expect.stringContaining("[demo/list-1] Collection is already managed. demo/list-0 manages"),
  ]);
  const other = { path: "settings/x", unlisted: true, entries } as const;
  expect(Object.keys(listsOf(suffix, other)().resource.cwp_list ?? {})).toHaveLength(2);
});
