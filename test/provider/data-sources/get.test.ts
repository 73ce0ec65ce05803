import { catalogue } from "../../../src/api/catalogue/catalogue";
import { LosslessNumber } from "../../../src/core/json/lossless-json";
import { exactNumber, type ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { complete, provider, summaries } from "../support/engine";

const TYPE = "cwp_get";
const configOf = (config: ObjectValue) =>
  complete(provider.dataSourceAttributes(TYPE) ?? {}, config);

async function consoleWith(path: string, document: unknown) {
  const { console, connection } = await ready({ any: () => undefined });
  await console.store(path, document);
  const { signal } = new AbortController();
  return (config: ObjectValue) =>
    provider.readDataSource(TYPE, configOf({ path, ...config }), { connection, signal });
}

test("reads the list of a kind, and the members of its rows", async () => {
  const read = await consoleWith("policies/admission", { rules: [{ name: "a", x: { y: 1 } }] });
  expect((await read({})).state?.result).toEqual([{ name: "a", x: { y: 1 } }]);
  expect((await read({ members: ["name"] })).state?.result).toEqual([{ name: "a" }]);
});

test("reads a document, and a member of it", async () => {
  const read = await consoleWith("settings/x", { a: 1, b: { c: null } });
  expect((await read({ unlisted: true })).state?.result).toEqual({ a: 1, b: { c: null } });
  expect((await read({ unlisted: true, member: "b" })).state?.result).toEqual({ c: null });
  expect(summaries((await read({ member: "nothing" })).diagnostics)).toEqual([
    "Unexpected response from the console",
  ]);
});

test("leaves out members that the catalogue calls secret", async () => {
  const profile = { _id: "a", type: "aws", secret: { encrypted: "e" } };
  const read = await consoleWith("credentials", [profile]);
  expect((await read({})).state?.result).toEqual([{ _id: "a", type: "aws" }]);
});

test("asks for members above 1,000 rows", async () => {
  const rows = Array.from({ length: 1_001 }, (_, id) => ({ id, much: "x" }));
  const read = await consoleWith("settings/x", rows);
  expect(summaries((await read({})).diagnostics)).toEqual(["Too many rows"]);
  expect((await read({ members: ["id"] })).state?.result).toHaveLength(1_001);
});

test.each([
  ["containers/scan", "It has no read without an effect"],
  ["registry/scan", "It has no read without an effect"],
  ["settings/license", "The data source cwp_license reads the type, expiry and workloads."],
  ["authenticate", "would be stored in the state"],
  ["credentials", "would be stored in the state"],
  ["users/audit", "would be stored in the state"],
  ["Users/audit", "would be stored in the state"],
  ["Containers/Scan", "Paths are case-sensitive"],
  ["api/v1/groups", "Leave /api/v1/ out"],
  ["../x", 'no ".."'],
  ["scripts/defender.sh", "answers JSON"],
  ["settings/x", "Set unlisted = true"],
])("refuses %s", (path, problem) => {
  const found = provider.validateDataSource(TYPE, configOf({ path }));
  expect(found.map(({ detail }) => String(detail)).join()).toContain(problem);
});

test("names the release that has a path, and the path that another one has", async () => {
  const { connection } = await ready({ release: "20.12" });
  const literal = { path: "statuses/serverless-autoprotect", unlisted: true };
  const [found] = provider.validateDataSource(TYPE, configOf(literal), connection);
  expect(found?.summary).toBe("GET /api/v1/statuses/serverless-autoprotect: not in release 20.12");
  expect(found?.detail).toContain(
    "The console has it in release 20.04. Release 20.12 has it at /api/v1/statuses/serverless-auto-deploy.",
  );
  const moved = configOf({ path: "policies/runtime/custom-rules" });
  expect(provider.validateDataSource(TYPE, moved, connection)).toEqual([]);
});

test("warns of a path that is deprecated", async () => {
  const { connection } = await ready({ release: "20.12" });
  const config = configOf({ path: "policies/firewall/network/container", unlisted: true });
  expect(summaries(provider.validateDataSource(TYPE, config, connection))).toEqual([
    expect.stringContaining("deprecated from release 20.09 on"),
  ]);
});

test.each(["policies/admission", "containers", "settings/registry"])("accepts %s", (path) => {
  const found = provider.validateDataSource(TYPE, configOf({ path, unlisted: true }));
  expect(found).toEqual([]);
});

test("shows only the result of a kind that the catalogue calls public", async () => {
  const attributes = provider.dataSourceAttributes(TYPE);
  expect(attributes?.result?.sensitive).toBe(true);
  expect(attributes?.public_result?.sensitive).toBeUndefined();
  const roles = await consoleWith("rbac/roles", [{ name: "a" }]);
  expect((await roles({})).state?.public_result).toEqual([{ name: "a" }]);
  const profiles = await consoleWith("alert-profiles", [{ name: "a" }]);
  expect((await profiles({})).state?.public_result).toBeNull();
});

test("no kind with secrets is public", () => {
  const both = [...catalogue()].filter(([, kind]) => kind.public && kind.secrets.length > 0);
  expect(both).toEqual([]);
});

test("keeps the digits of numbers in rows and around them", async () => {
  const read = await consoleWith("settings/x", {
    rows: [{ id: new LosslessNumber("9007199254740993") }],
  });
  expect((await read({ unlisted: true, member: "rows" })).state?.result).toEqual([
    { id: exactNumber("9007199254740993") },
  ]);
});
