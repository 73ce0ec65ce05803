import { configurationOf } from "../../../src/cli/adopt/props";
import { readConsole } from "../../../src/cli/adopt/read-console";
import { readPaths } from "../../../src/cli/adopt/read-paths";
import { catalogue } from "../../../src/api/catalogue/catalogue";
import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { HABITS } from "../support/habits";
import { Engine } from "../support/engine";

/* A slice of the matrix of `npm run test:habits`: everything of a stack on a console with each habit. */

const { signal } = new AbortController();
const collections = (...names: readonly string[]) => names.map((name) => ({ name }));

/** A collection, what names it, and a sample of each kind of the catalogue. */
const STACK: readonly (readonly [type: string, config: ObjectValue])[] = [
  ["cwp_collection", { name: "prod", namespaces: ["prod-*"] }],
  [
    "cwp_compliance_policy_set",
    { policies: [{ name: "root", checks: { "599": true }, collections: ["prod"] }] },
  ],
  [
    "cwp_list",
    {
      kind: "host_runtime_policy",
      entries: [{ name: "hosts", collections: collections("prod"), notes: "ours" }],
    },
  ],
  [
    "cwp_registry_scan",
    {
      specifications: Array.from({ length: 9 }, (_, index) => ({
        ...{ registry: `r${index}`, repository: "*", tag: "*", collections: ["prod"] },
      })),
    },
  ],
  ["cwp_setting", { path: "settings/certs", unlisted: true, body: { checkRevocation: true } }],
  ...[...catalogue()]
    .filter(([kind]) => !["host_runtime_policy", "collection"].includes(kind))
    .map(
      ([kind, { form, sample }]) => [`cwp_${form}`, { kind, ...(sample as ObjectValue) }] as const,
    ),
];

test.each(Object.entries(HABITS))(
  "%s: a stack is applied, planned empty and adopted",
  async (_, habit) => {
    const { connection, console, writes } = await ready({ any: () => undefined }, {}, habit);
    await console.store(
      "users",
      Array.from({ length: 9 }, (_, index) => ({ username: `u${index}` })),
    );
    const engines: [Engine, ObjectValue][] = [];
    for (const [type, config] of STACK) {
      const engine = await new Engine(connection, type).applied(config);
      engines.push([engine, config]);
    }
    for (const [engine, config] of engines) {
      await engine.refresh();
      expect(await engine.isConverged(config)).toBe(true);
    }
    const { length } = writes();
    const paths = [
      "policies/runtime/host",
      "policies/admission",
      "collections",
      "tags",
      "users",
      "settings/certs",
    ];
    const adopted = [
      ...(await readConsole(connection, "exclusive", signal)),
      ...(await readPaths(connection, paths, signal)),
    ];
    expect(adopted.filter(({ resource }) => resource.type === "cwp_object")).toHaveLength(12);
    for (const { resource, importId, state, count } of adopted) {
      if (count === 0) continue;
      const engine = new Engine(connection, resource.type);
      expect(await engine.import(importId)).toEqual([]);
      const { planned } = await engine.plan(configurationOf(resource.attributes, state));
      expect(planned).toEqual(engine.state);
    }
    expect(writes()).toHaveLength(length);
    for (const [engine] of engines.reverse()) await engine.applied(null);
  },
);
