import fc from "fast-check";
import { nestedAttributes } from "../../../src/core/schema/terraform";
import { hasErrors } from "../../../src/core/diagnostics";
import { releasesWith } from "../../../src/provider/release-changes";
import { resources } from "../../../src/provider/resources";
import { cases } from "../../support/cases";
import { ready } from "../support/consoles";
import { Engine } from "../support/engine";
import { objectOf } from "../support/schema-values";

/*
 * A console that is written and read again gives back each entry, in each release: no attribute of a
 * schema is read and never sent, or sent and read otherwise. Entries are made from the schema, so that a
 * new attribute takes part.
 */

const ROWS = resources.flatMap((resource) => {
  const { collection, type, attributes } = resource;
  const list = collection?.kind === undefined ? undefined : attributes[collection.list]?.type;
  const entry = list && nestedAttributes(list);
  if (!collection || !entry) return [];
  return releasesWith(resource).map((release) => ({ type, release, collection, entry }));
});

test("there are resources to test", () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(16);
});

test.each(ROWS)("$type in $release gives entries back", async ({ type, release, ...given }) => {
  const { collection, entry } = given;
  const seen = new Set<string>();
  const checking = new Engine((await ready({ release })).connection, type);
  await fc.assert(
    fc.asyncProperty(fc.array(objectOf(entry), { minLength: 1, maxLength: 2 }), async (entries) => {
      const config = { [collection.list]: entries };
      fc.pre(!hasErrors(checking.validate(config)));
      const engine = new Engine((await ready({ release })).connection, type);
      await engine.applied(config);
      // The plan has the entries of the configuration with their defaults, and the result is the plan.
      expect(await engine.isConverged(config)).toBe(true);
      for (const one of entries) {
        for (const [name, value] of Object.entries(one)) if (value !== null) seen.add(name);
      }
    }),
    { numRuns: cases(15), maxSkipsPerRun: 1000 },
  );
  expect(seen.size).toBeGreaterThan(1);
});
