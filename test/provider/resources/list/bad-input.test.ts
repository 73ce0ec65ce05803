import { withDynamicType } from "../../../../src/core/schema/dynamic";
import { catalogue } from "../../../../src/api/catalogue/catalogue";
import { UNKNOWN, type ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { complete, Engine, provider, summaries } from "../../support/engine";

const TYPE = "cwp_list";
const entries = [{ name: "one" }];

function errorsOf(config: ObjectValue): string {
  const { attributes = {} } = provider.resourceAttributes(TYPE) ?? {};
  return provider
    .validateResource(TYPE, complete(attributes, config))
    .map(({ summary, detail, path }) => `${path?.join(".") ?? ""}: ${summary}. ${String(detail)}`)
    .join("\n");
}

test.each([
  ["https://host/api/v1/x", "A path has no host"],
  ["//host/x", "A path has no host"],
  ["settings/../users", 'A path has no ".."'],
  ["settings/x?limit=1", "A path has no query"],
  ["settings/x#a", "A path has no query and no fragment"],
  ["/api/v1/settings/x", "Leave /api/v1/ out"],
  ["/settings/x", "A path has names of letters"],
  ["settings//x", "A path has names of letters"],
  ["settings/%2e%2e/x", "A path has names of letters"],
  ["", "A path has names of letters"],
  ["signup", "Path is no collection"],
  ["authenticate", "Path is no collection"],
  ["authenticate-client", "Path is no collection"],
  ["settings/license", "Path is no collection"],
  ["containers/scan", "Path is no collection"],
  ["containers", "Path is no collection"],
  ["registry/scan", "Path is no collection"],
  ["images/Scan", "Path is no collection"],
  ["scans/trigger", "Path is no collection"],
  ["logout", "Path is no collection"],
  ["authenticate/renew", "Path is no collection"],
  [
    "policies/compliance/container",
    "cwp_compliance_policy_set manages policies/compliance/container",
  ],
  ["settings/registry", "cwp_registry_scan manages"],
  ["settings/serverless-auto-protect", "cwp_serverless_auto_deploy manages"],
  ["users", 'cwp_object manages the kind "user"'],
  ["users/audit", 'cwp_object manages the kind "user"'],
  ["credentials/a/usages", 'cwp_object manages the kind "credential"'],
  ["Users", "Paths are case-sensitive: write users"],
  ["Settings/Registry", "Paths are case-sensitive: write settings/registry"],
  ["SignUp", "Paths are case-sensitive: write signup"],
  ["api/v1/settings/x", "Leave /api/v1/ out"],
])("refuses the path %j", (path, problem) => {
  expect(errorsOf({ path, unlisted: true, entries })).toContain(problem);
});

test("reports one problem for one mistake", () => {
  const config = { kind: "admission_policy", entries, write_only: [{ x: "y" }] };
  expect(errorsOf(config)).toBe(
    "write_only.0.name: Missing key. Entry 1 of write_only has no name, which identifies it on the console.",
  );
  expect(errorsOf({ kind: "admission_policy", entries: { name: "a" } })).not.toContain("set");
});

test("refuses a member that is in write_only and stored", () => {
  const stored = [{ name: "a", token: "t", hook: { url: "u" } }];
  const write_only = [{ name: "a", token: "s", hook: { token: "s", url: "v" } }];
  expect(errorsOf({ path: "settings/x", unlisted: true, entries: stored, write_only })).toBe(
    [
      "write_only.0.token: Member is set twice. token is in entries too. Leave it out there.",
      "write_only.0.hook.url: Member is set twice. hook.url is in entries too. Leave it out there.",
    ].join("\n"),
  );
});

test("asks for unlisted where the catalogue does not have the path", () => {
  expect(errorsOf({ path: "settings/x", entries })).toContain("Set unlisted = true");
  expect(errorsOf({ path: "settings/x", unlisted: true, entries })).toBe("");
  expect(errorsOf({ path: "settings/scan", unlisted: true, entries })).toBe("");
  expect(errorsOf({ path: "policies/admission", entries })).toBe("");
});

test.each<[string, ObjectValue, string]>([
  ["neither kind nor path", { entries }, "Set either kind or path"],
  ["both", { kind: "admission_policy", path: "x", entries }, "Set either kind or path"],
  ["a kind again", { kind: "admission_policy", member: "x", entries }, "has its member"],
  ["an unknown kind", { kind: "nothing", entries }, "kind: Invalid attribute value"],
  ["no list", { kind: "admission_policy", entries: { a: 1 } }, "must be a list of objects"],
  ["no object", { kind: "admission_policy", entries: ["a"] }, "Entry 1 of entries must be"],
  ["no key", { kind: "admission_policy", entries: [{ a: 1 }] }, "Entry 1 of entries has no name"],
  [
    "a key twice",
    { kind: "admission_policy", entries: [...entries, ...entries] },
    'Entries 1 and 2 of entries have the same name "one"',
  ],
  [
    "an ignored member",
    { kind: "admission_policy", entries: [{ name: "a", modified: "now" }] },
    "modified is set by the console",
  ],
  [
    "secrets of no entry",
    { kind: "admission_policy", entries, write_only: [{ name: "two", x: "y" }] },
    "Entry 1 of write_only has the key of no entry",
  ],
  [
    "shared with an order",
    { kind: "admission_policy", ownership: "shared", entries },
    "needs a list without an order",
  ],
  [
    "prefix without an order",
    { path: "settings/x", unlisted: true, order: "none", ownership: "prefix", entries },
    "needs a list with an order",
  ],
  [
    "clear without all entries",
    { kind: "admission_policy", ownership: "prefix", on_destroy: "clear", entries },
    "empties the whole collection",
  ],
])("refuses %s", (_, config, problem) => {
  expect(errorsOf(config)).toContain(problem);
});

test("refuses a set, which has no order", () => {
  const set = { kind: "set", element: { kind: "map", element: { kind: "string" } } } as const;
  const config = { kind: "admission_policy", entries: withDynamicType(entries, set) };
  expect(errorsOf(config)).toContain("A set has no order");
});

test("accepts unknown keys, and a path that is known after apply", () => {
  expect(
    errorsOf({ kind: "admission_policy", entries: [{ name: UNKNOWN }, { name: UNKNOWN }] }),
  ).toBe("");
  expect(errorsOf({ path: UNKNOWN, entries })).toBe("");
});

test.each([
  "nothing/../x",
  "users",
  "{",
  '{"path":"settings/x","entries":[]}',
  "settings/registry",
])("refuses the import ID %s", async (id) => {
  const { connection } = await ready();
  const diagnostics = await new Engine(connection, TYPE).import(id);
  expect(summaries(diagnostics)).toEqual(["Invalid import ID"]);
});

test("has a valid file for each kind", () => {
  expect(catalogue().size).toBeGreaterThan(17);
  for (const kind of catalogue().values()) expect(kind.tried).toBe(false);
});
