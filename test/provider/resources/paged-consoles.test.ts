import fc from "fast-check";
import type { ObjectValue } from "../../../src/core/values";
import type { Pages } from "../../../src/simulator/pages";
import { cases } from "../../support/cases";
import { ready } from "../support/consoles";
import { Engine } from "../support/engine";

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
const pages = fc.option(
  fc.record({ size: fc.integer({ min: 1, max: 5 }), hasTotal: fc.boolean() }),
  { nil: undefined },
);

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
