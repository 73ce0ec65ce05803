import fc from "fast-check";
import { configurationOf } from "../../../src/cli/adopt/props";
import { readConsole, type Adopted } from "../../../src/cli/adopt/read-console";
import { readPaths } from "../../../src/cli/adopt/read-paths";
import { isFilledIn } from "../../../src/provider/collections/members";
import type { Console } from "../../../src/provider/console/connection";
import { ready } from "../../provider/support/consoles";
import { Engine } from "../../provider/support/engine";
import { closeSecondConsoles, connectToSecond } from "../../provider/support/second-console";
import type { Json, JsonObject } from "../../second-console/options";
import { LONG_TESTS } from "../../support/cases";

jest.setTimeout(LONG_TESTS ? 7_200_000 : 600_000);
afterEach(closeSecondConsoles);

const { signal } = new AbortController();

/** Names with those that no stack can have: two alike, and one that Terraform changes. */
const name = fc.constantFrom("a", "b", "c", "d", "same", "e\u0301");
const text = fc.constantFrom("", "one", "two", "${x}", "ä");
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.integer({ min: -3, max: 3 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("x", "y", "apiToken", "certificate"), tie("json"), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).json;

const object = (members: Record<string, fc.Arbitrary<Json>>, ...keys: string[]) =>
  fc.record(members, { requiredKeys: keys, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const lists = fc.record({
  policies: fc.array(object({ name, disabled: fc.boolean(), notes: value, extra: value }, "name"), {
    maxLength: 5,
  }),
  registry: fc.array(
    object(
      {
        registry: fc.constantFrom("", "r", "e\u0301"),
        repository: fc.constantFrom("", "a/*"),
        tag: text,
        os: fc.constantFrom("", "linux"),
        credentialID: fc.constantFrom("", "c"),
        collections: fc.constantFrom(["All"], []),
        more: value,
      },
      "registry",
      "repository",
      "tag",
    ),
    { maxLength: 5 },
  ),
  rules: fc.array(
    object({ name, effect: text, applicationsSpec: fc.array(value, { maxLength: 2 }) }, "name"),
    { maxLength: 5 },
  ),
  beside: object({
    learningDisabled: fc.boolean(),
    settings: value,
    nested: object({ x: value, rules: fc.array(value, { maxLength: 2 }) }),
    apiToken: text,
  }),
  hooks: fc.array(object({ name, x: value }), { maxLength: 2 }),
  logging: object({ syslog: value, stdout: value, token: text }),
  collections: fc.uniqueArray(
    object({ name, images: fc.constant(["x"]), note: value, system: fc.boolean() }, "name"),
    { maxLength: 3, selector: ({ name }) => name },
  ),
});
const PATHS = ["policies/runtime/host", "settings/logging", "collections"];

/** The members of documents that are lists of objects. */
const LISTS = ["rules", "specifications", "hooks"];

/** The objects of a list, or of the list in a document; or the document. */
function listIn(body: unknown): readonly object[] {
  const isObject = (one: unknown): one is object => typeof one === "object" && one !== null;
  if (Array.isArray(body)) return body.filter(isObject);
  if (!isObject(body)) return [];
  const members = body as Record<string, unknown>;
  const list = LISTS.map((name) => members[name]).find(Array.isArray) as unknown[] | undefined;
  return list ? list.filter(isObject) : [body];
}

/** The document without its list. */
function besideIn(body: unknown): readonly object[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return [Object.fromEntries(Object.entries(body).filter(([name]) => !LISTS.includes(name)))];
}

/** Everything that the console has but what it sets itself and what is empty. */
const texts = (content: () => readonly (readonly object[])[]) =>
  content().map((items) => items.map((item) => JSON.stringify(sorted(item))).sort());

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value)
    .filter(([name, member]) => !["owner", "modified"].includes(name) && !isFilledIn(member))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Plans, applies and destroys what was adopted. Returns the number of entries that a part has. */
async function live(
  connection: Console,
  adopted: readonly Adopted[],
  content: () => readonly (readonly object[])[],
  writesNothing: () => void,
) {
  const before = content();
  const engines: [Engine, Adopted][] = [];
  for (const one of adopted) {
    const { resource, importId, state, count } = one;
    if (count === 0) continue;
    const engine = new Engine(connection, resource.type);
    expect(await engine.import(importId)).toEqual([]);
    const config = configurationOf(resource.attributes, state);
    const { planned, diagnostics } = await engine.plan(config);
    expect({ importId, planned, diagnostics }).toEqual({
      importId,
      planned: engine.state,
      diagnostics: [],
    });
    await engine.applied(config);
    expect(content()).toEqual(before);
    engines.push([engine, one]);
  }
  writesNothing();
  const all = texts(content);
  const systemOnes = all.flat().filter((one) => one.includes('"system":true'));
  for (const [engine, { state, resource, count }] of engines) {
    await engine.refresh();
    await engine.applied(null);
    const isPart = typeof state.ownership === "string" && state.ownership !== "exclusive";
    const isDeleted = resource.type === "cwp_object";
    const left = texts(content);
    const removed = all.flat().length - left.flat().length;
    expect(removed).toBe(isPart || isDeleted ? count : 0);
    for (const [at, entries] of left.entries()) {
      expect(all[at]).toEqual(expect.arrayContaining(entries));
      all[at] = entries;
    }
  }
  // Collections of the console itself.
  expect(texts(content).flat()).toEqual(expect.arrayContaining(systemOnes));
}

test("plans no change after adopt on the simulator, and touches nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      lists,
      async ({ policies, registry, rules, beside, hooks, logging, collections }) => {
        const { console, connection, writes } = await ready({ any: () => undefined });
        await console.load({ policies, registry });
        await console.store("policies/runtime/host", { ...beside, _id: "hostRuntime", rules });
        await console.store("settings/logging", { ...logging, hooks });
        await console.store("collections", collections);
        const adopted = [
          ...(await readConsole(connection, "exclusive", signal)),
          ...(await readPaths(connection, PATHS, signal)),
        ];
        const listed = (path: string) => listIn(console.document(path));
        const content = () => [
          console.collection("policies"),
          console.collection("registry"),
          ...PATHS.flatMap((path) => [listed(path), besideIn(console.document(path))]),
        ];
        const { length } = writes();
        await live(connection, adopted, content, () => {
          expect(writes()).toHaveLength(length);
        });
      },
    ),
    { numRuns: LONG_TESTS ? 500 : 6 },
  );
});

test("plans no change after adopt on the second console, and touches nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      lists,
      async ({ policies, registry, rules, beside, hooks, logging, collections }) => {
        const { served, connection } = await connectToSecond({
          missing: ["settings/serverless-scan", "settings/serverless-auto-deploy"],
          content: {
            lists: { collections },
            policies: {
              "policies/compliance/container": { _id: "x", rules: policies },
              "policies/runtime/host": { ...beside, _id: "y", rules },
            },
            documents: {
              "settings/registry": { specifications: registry },
              "settings/logging": { ...logging, hooks },
            },
          },
        });
        const adopted = [
          ...(await readConsole(connection, "exclusive", signal)),
          ...(await readPaths(connection, [...PATHS, "settings/saml"], signal)),
        ];
        expect(adopted.filter(({ unread }) => unread).length).toBeGreaterThanOrEqual(2);
        const content = () => {
          const { lists, policies, documents } = structuredClone(served.content());
          return [policies, documents, lists].flatMap((part) =>
            Object.values(part).flatMap((one) => [listIn(one), besideIn(one)]),
          );
        };
        await live(connection, adopted, content, () => {
          expect(served.writes()).toEqual([]);
        });
        await closeSecondConsoles();
      },
    ),
    { numRuns: LONG_TESTS ? 500 : 6 },
  );
});
