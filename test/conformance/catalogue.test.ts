import { catalogue } from "../../src/api/catalogue/catalogue";
import { parseJson, stringifyJson } from "../../src/core/json/lossless-json";
import { isRecord } from "../../src/core/member-of";
import type { Console } from "../../src/simulator";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

/** One resource of each kind of the catalogue, as its sample has it. */
function everyKind(): Record<string, Record<string, object>> {
  const resources: Record<string, Record<string, object>> = {};
  for (const [kind, { form, sample }] of catalogue()) {
    (resources[`cwp_${form}`] ??= {})[kind] = { kind, ...sample };
  }
  return resources;
}

const addresses = Object.entries(everyKind())
  .flatMap(([type, named]) => Object.keys(named).map((name) => `${type}.${name}`))
  .sort();
const all = (action: string) => addresses.map((address) => `${address} ${action}`);

/** Adds a member to each stored entry, object and document, as a newer console would. */
async function addMembers(console: Console): Promise<void> {
  const added = (document: unknown): unknown =>
    Array.isArray(document)
      ? document.map(added)
      : isRecord(document)
        ? { ...document, ...mapLists(document), theirs: { kept: 1 } }
        : document;
  const mapLists = ({ rules }: Readonly<Record<string, unknown>>) =>
    rules === undefined ? {} : { rules: added(rules) };
  for (const [path, document] of Object.entries(console.data.documents)) {
    await console.store(path, added(document));
  }
}

describeWithTerraform("both engines manage every kind of the catalogue in one stack", () => {
  conforms("all kinds", [
    { does: "creates them", stack: stackOf(everyKind()), plans: all("create") },
    { does: "finds nothing to change", plans: [] },
    {
      does: "finds nothing to change in members that are not set",
      before: ({ console }) => addMembers(console),
      plans: [],
    },
    {
      does: "destroys them, and keeps nothing",
      request: { mode: "destroy" },
      plans: all("delete"),
      after: ({ console }) => {
        expect(Object.keys(console.data.documents)).toHaveLength(catalogue().size);
        expect(JSON.stringify(console.data.documents)).not.toContain("payments");
      },
    },
    { does: "creates them again", plans: all("create") },
  ]);

  const one = (type: string, body: object, more: object = {}) =>
    stackOf({ [type]: { one: { ...body, ...more } } });
  const setting = (port: number) =>
    one("cwp_setting", { kind: "defender_settings", body: { listeningPort: port } });
  conforms("a document", [
    {
      does: "merges it",
      before: ({ console }) => console.store("settings/defender", { listeningPort: 1, days: 2 }),
      stack: setting(9998),
      plans: ["cwp_setting.one create"],
    },
    {
      does: "reverts drift",
      before: ({ console }) => console.store("settings/defender", { listeningPort: 2, days: 3 }),
      plans: ["cwp_setting.one update", "drift cwp_setting.one update"],
    },
    {
      does: "restores its members",
      stack: stackOf({}),
      plans: ["cwp_setting.one delete"],
      after: ({ console }) => {
        expect(console.document("settings/defender")).toEqual({ listeningPort: 1, days: 3 });
      },
    },
  ]);

  const numbers = {
    large: "${9007199254740993}",
    larger: "${123456789012345678901234567890}",
    negative: "${-9223372036854775809}",
    fraction: "${1 / 3}",
    decimal: "${0.1}",
    inside: ["${18446744073709551615}", { id: "${9007199254740995}" }],
  };
  const exact = [
    ["large", "9007199254740993"],
    ["larger", "123456789012345678901234567890"],
    ["negative", "-9223372036854775809"],
  ] as const;
  conforms("numbers that no double holds", [
    {
      does: "writes their digits",
      stack: one("cwp_setting", { kind: "defender_settings", body: numbers }),
      plans: ["cwp_setting.one create"],
      after: ({ console }) => {
        const text = stringifyJson(console.document("settings/defender"));
        for (const [name, digits] of exact) expect(text).toContain(`"${name}":${digits}`);
        expect(text).toContain('"inside":[18446744073709551615,{"id":9007199254740995}]');
        expect(text).toContain('"decimal":0.1,');
      },
    },
    { does: "finds nothing to change", plans: [] },
    {
      does: "sees that one differs in its last digit",
      before: ({ console }) =>
        console.store("settings/defender", parseJson('{"large": 9007199254740992}')),
      stack: one("cwp_setting", {
        kind: "defender_settings",
        body: { large: "${9007199254740993}" },
      }),
      plans: ["cwp_setting.one update", "drift cwp_setting.one update"],
    },
    {
      does: "restores them",
      stack: stackOf({}),
      plans: ["cwp_setting.one delete"],
      after: ({ console }) => {
        expect(console.document("settings/defender")).toEqual({});
      },
    },
  ]);

  const user = (role: string, version: number) =>
    one("cwp_object", {
      kind: "user",
      body: { username: "audit", role },
      write_only: { password: "${var.CONSOLE_LICENSE_KEY}" },
      write_only_version: version,
    });
  conforms("an object", [
    { does: "creates it", stack: user("auditor", 1), plans: ["cwp_object.one create"] },
    { does: "changes it", stack: user("admin", 1), plans: ["cwp_object.one update"] },
    { does: "writes its secret again", stack: user("admin", 2), plans: ["cwp_object.one update"] },
    {
      does: "creates it again where it is gone",
      before: ({ console }) => console.store("users", []),
      plans: ["cwp_object.one create", "drift cwp_object.one delete"],
    },
    {
      does: "refuses one that is there",
      stack: one("cwp_object", { kind: "group", body: { groupName: "a", role: "x" } }),
      before: ({ console }) => console.store("groups", [{ groupName: "a", role: "theirs" }]),
      errors: ["import ID group:a"],
    },
    {
      does: "imports by its kind what the configuration names by its path",
      stack: stackOf(
        { cwp_object: { two: { path: "groups", body: { groupName: "a", role: "theirs" } } } },
        { import: [{ to: "cwp_object.two", id: "group:a" }] },
      ),
      plans: ["cwp_object.one delete", "cwp_object.two import update"],
    },
    { does: "finds nothing to change in it", plans: [] },
  ]);
});
