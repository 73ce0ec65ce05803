import fc from "fast-check";
import { COLLECTION_KINDS } from "../../../src/api/collections";
import type { Release } from "../../../src/api/release";
import type { Document } from "../../../src/simulator/documents";
import type { ObjectValue } from "../../../src/core/values";
import {
  COLLECTIONS,
  deploySpecConfigs,
  foundPolicies,
  policyConfigs,
  scanScopeConfigs,
  specificationConfigs,
} from "../support/arbitraries";
import { cases } from "../../support/cases";
import { ready } from "../support/consoles";
import { Engine } from "../support/engine";

/*
 * For any configuration: a plan after an apply is empty, and a destroy restores the console. The
 * engine checks every plan and every result with the referee.
 */

const numRuns = cases(10);

/** The console answers collections whole, or in pages of so many rows. */
const PAGE_SIZES = [undefined, 1, 2, 3, 50];

/** Reports whether two entries of a list are equal: pages of such a list look as if they repeated. */
function hasTwins(found: object): boolean {
  return Object.values(found).some(
    (list) =>
      Array.isArray(list) && new Set(list.map((one) => JSON.stringify(one))).size < list.length,
  );
}

async function lives(
  type: string,
  steps: readonly ObjectValue[],
  found: Parameters<Awaited<ReturnType<typeof ready>>["console"]["load"]>[0],
  release?: Release,
): Promise<{ before: readonly Document[]; after: readonly Document[] }> {
  // Drawn from the case, so that it shrinks with it.
  const drawn = PAGE_SIZES[JSON.stringify(steps).length % PAGE_SIZES.length];
  const size = hasTwins(found) ? undefined : drawn;
  const { console, connection } = await ready({
    ...(release && { release }),
    ...(size !== undefined && { pages: { size } }),
  });
  await console.load(found);
  const collections = () => COLLECTION_KINDS.flatMap((kind) => console.collection(kind));
  const before = collections();
  const engine = new Engine(connection, type);
  for (const config of steps) {
    await engine.applied(config);
    expect(await engine.isConverged(config)).toBe(true);
  }
  await engine.applied(null);
  return { before, after: collections() };
}

const names = (documents: readonly Document[]) => documents.map(({ name }) => name);

test.each(["exclusive", "prefix", "suffix"])("policies converge, %s", async (ownership) => {
  await fc.assert(
    fc.asyncProperty(policyConfigs, policyConfigs, foundPolicies, async (one, other, found) => {
      const known = found.filter(({ name }) => ["x", "y"].includes(name));
      const policies =
        ownership === "exclusive"
          ? [...known, { name: "default" }].map((policy) => ({ ...policy, owner: "system" }))
          : known;
      const { before, after } = await lives(
        "cwp_compliance_policy_set",
        [one, other, one].map((configured) => ({ ownership, policies: configured })),
        { policies },
      );
      expect(names(after)).toEqual(names(before));
      if (ownership !== "exclusive") expect(after).toEqual(before);
    }),
    { numRuns },
  );
});

test.each(["exclusive", "shared"])("registry settings converge, %s", async (ownership) => {
  const strange = fc.constantFrom<Document[]>([], [{ registry: "x", tag: "t", cap: 7, more: [1] }]);
  await fc.assert(
    fc.asyncProperty(
      specificationConfigs,
      specificationConfigs,
      strange,
      async (one, other, found) => {
        const registry = ownership === "shared" ? found : [];
        const { before, after } = await lives(
          "cwp_registry_scan",
          [one, other, one].map((specifications) => ({ ownership, specifications })),
          { registry },
        );
        expect(after).toMatchObject(before);
        expect(after).toHaveLength(before.length);
      },
    ),
    { numRuns },
  );
});

test("serverless scan settings converge", async () => {
  await fc.assert(
    fc.asyncProperty(scanScopeConfigs, scanScopeConfigs, async (one, other) => {
      const { before, after } = await lives(
        "cwp_serverless_scan",
        [one, other, one].map((scopes) => ({ scopes })),
        {},
        "next",
      );
      expect(after).toEqual(before);
    }),
    { numRuns },
  );
});

test("serverless auto-deploy settings converge", async () => {
  await fc.assert(
    fc.asyncProperty(deploySpecConfigs, deploySpecConfigs, async (one, other) => {
      const { before, after } = await lives(
        "cwp_serverless_auto_deploy",
        [one, other, one].map((specs) => ({ specs })),
        {},
      );
      expect(after).toEqual(before);
    }),
    { numRuns },
  );
});

test.each(COLLECTIONS.map((one) => [one.type, one] as const))(
  "%s converges with entries like those of its sample",
  async (type, { release, list, entries }) => {
    await fc.assert(
      fc.asyncProperty(entries, entries, async (one, other) => {
        const { before, after } = await lives(
          type,
          [one, other, one].map((configured) => ({ [list]: configured })),
          {},
          release,
        );
        // Whoever restores a policy becomes its owner.
        const owned = (documents: readonly Document[]) =>
          documents.map((document) => ({ ...document, owner: "anybody" }));
        expect(owned(after)).toEqual(owned(before));
      }),
      { numRuns: cases(4) },
    );
  },
);

test("license and bootstrap converge", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      async (one, other) => {
        await lives("cwp_license", [{ key: one }, { key: other }], {});
        await lives("cwp_bootstrap", [{ wait_timeout: one.length }, {}], {});
      },
    ),
    { numRuns: cases(4) },
  );
});
