import fc from "fast-check";
import type { ObjectValue } from "../../../src/core/values";
import type { Transport } from "../../../src/api/http/transport";
import type { Pages } from "../../../src/simulator/pages";
import { cases } from "../../support/cases";
import { ready } from "../support/consoles";
import { Engine, errorsOf } from "../support/engine";

/*
 * The result of a run does not depend on how the console answers its lists: whole, or in
 * pages of any size, with or without `Total-Count`.
 */

const names = ["a", "b", "c", "d", "e", "f", "g"];
const entry = (name: string, note = "ours") => ({ name, note });

/** Consoles' own rows, the managed ones in two applies, and rows that others add and remove between them. */
const history = fc.record({
  theirs: fc.uniqueArray(fc.constantFrom(...names.slice(0, 4))),
  first: fc.uniqueArray(fc.constantFrom(...names.slice(4)), { minLength: 1 }),
  second: fc.uniqueArray(fc.constantFrom(...names.slice(4)), { minLength: 1 }),
  added: fc.constantFrom(undefined, "new"),
});
const somePages = fc.record({ size: fc.integer({ min: 1, max: 5 }), hasTotal: fc.boolean() });
const pages = fc.option(somePages, { nil: undefined });

interface Step {
  readonly theirs: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly added: string | undefined;
}

/** Runs a history, and returns what the console has after each step. */
async function contents(
  paging: Pages | undefined,
  { theirs, first, second, added }: Step,
  { path, type, config }: Subject,
) {
  const { console, connection } = await ready({ any: () => undefined, pages: paging });
  await console.store(
    path,
    theirs.map((name) => entry(name, "theirs")),
  );
  const engine = new Engine(connection, type);
  const found: unknown[] = [];
  const seen = () => found.push(structuredClone(console.document(path)));
  await engine.applied(config(first));
  expect(await engine.isConverged(config(first))).toBe(true);
  seen();
  if (added !== undefined) {
    const rows = console.document(path) as readonly object[];
    await console.store(path, [...rows, entry(added, "theirs")]);
  }
  await engine.applied(config(second));
  seen();
  await engine.applied(null);
  seen();
  return found;
}

interface Subject {
  readonly path: string;
  readonly type: string;
  readonly config: (wanted: readonly string[]) => ObjectValue;
}

const list: Subject = {
  path: "settings/x",
  type: "cwp_list",
  config: (wanted) => ({
    path: "settings/x",
    unlisted: true,
    ownership: "suffix",
    entries: wanted.map((name) => entry(name)),
  }),
};
const object: Subject = {
  path: "x",
  type: "cwp_object",
  config: ([name = ""]) => ({ path: "x", unlisted: true, body: entry(name) }),
};

test.each([list, object])(
  "$type leaves the same on a console with pages of any size",
  async (subject) => {
    await fc.assert(
      fc.asyncProperty(history, pages, async (step, paging) => {
        expect(await contents(paging, step, subject)).toEqual(
          await contents(undefined, step, subject),
        );
      }),
      { numRuns: cases(15) },
    );
  },
);

/** Rows of others that are added or removed between two pages: before the GETs of a page with these numbers. */
const traffic = fc.array(
  fc.record({ at: fc.nat(6), name: fc.constantFrom(...names.slice(0, 4)), place: fc.nat(4) }),
  { maxLength: 4 },
);
type Edit = Readonly<{ at: number; name: string; place: number }>;

/** Errors after which a repeated run does the same as a first one. */
const REFUSED = /^Incomplete list from the console$|changed since the plan was made$/;

/** Runs the steps of a history while others edit, and expects their edits and ours on the console. */
async function keepsTraffic(
  paging: Pages,
  { theirs, first, second }: Step,
  edits: readonly Edit[],
  { path, type, config }: Subject,
) {
  let others = [...theirs];
  let gets = 0;
  const waiting = new Set<Edit>();
  const removed = new Set<string>();
  const rowsOfOthers = () => {
    const rows = console.document(path) as readonly { readonly name: string }[];
    return rows.filter(({ name }) => names.indexOf(name) < 4);
  };
  const edit = async ({ name, place }: Edit) => {
    const isThere = others.includes(name);
    if (isThere) removed.add(name);
    others = isThere ? others.filter((one) => one !== name) : [...others, name];
    const rows = console.document(path) as readonly { readonly name: string }[];
    const rest = rows.filter((row) => row.name !== name);
    const to = Math.min(place, rowsOfOthers().length);
    await console.store(path, isThere ? rest : rest.toSpliced(to, 0, entry(name, "theirs")));
  };
  const between = (send: Transport): Transport => {
    return async (request) => {
      if (request.method === "GET" && request.path.includes("offset=")) {
        gets += 1;
        for (const due of [...waiting].filter(({ at }) => at === gets)) {
          waiting.delete(due);
          await edit(due);
        }
      }
      return send(request);
    };
  };
  const { console, connection } = await ready(
    { any: () => undefined, pages: paging },
    {},
    { between },
  );
  await console.store(
    path,
    theirs.map((name) => entry(name, "theirs")),
  );
  const engine = new Engine(connection, type);
  for (const wanted of [first, second]) {
    gets = 0;
    removed.clear();
    for (const one of edits) waiting.add(one);
    const problems = errorsOf(await engine.apply(config(wanted)));
    for (const { summary } of problems) expect(summary).toMatch(REFUSED);
    for (const left of waiting) await edit(left);
    waiting.clear();
    // Nobody edits while it is repeated.
    if (problems.length > 0) await engine.applied(config(wanted));
    expect(await engine.isConverged(config(wanted))).toBe(true);
    const found = rowsOfOthers().map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(others));
    // A row that is removed after the write, and before it is read back, counts as lost, and is written again.
    expect([...others, ...removed]).toEqual(expect.arrayContaining(found));
    expect(rowsOfOthers()).toEqual(found.map((name) => entry(name, "theirs")));
    others = found;
  }
  await engine.applied(null);
  expect(console.document(path)).toHaveLength(others.length);
}

test.each([
  // More rows than a page has, added in front of it before one request, hide it from that request.
  { subject: object, most: (size: number) => size },
  // A second edit within one reading may hide the first.
  { subject: list, most: () => 1 },
])(
  "$subject.type and the rows of others survive while rows come and go between pages",
  async ({ subject, most }) => {
    await fc.assert(
      fc.asyncProperty(history, somePages, traffic, (step, paging, edits) =>
        keepsTraffic(paging, step, edits.slice(0, most(paging.size)), subject),
      ),
      { numRuns: cases(15) },
    );
  },
);
