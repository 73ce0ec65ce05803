import { cwpProvider } from "../../../src/provider/cwp-provider";
import { resources } from "../../../src/provider/resources";
import type { Attribute, Attributes, Kind } from "../../../src/core/schema/attribute";
import { nestedAttributes } from "../../../src/core/schema/terraform";
import { validateAttributes } from "../../../src/core/schema/validate-attributes";
import { decodeObject } from "../../../src/core/schema/decode";
import type { AttributePath } from "../../../src/core/values";
import { formatPath } from "../../../src/core/diagnostics";
import { complete, provider } from "../../provider/support/engine";

/*
 * Rules for every definition.
 */

interface Placed {
  readonly path: string;
  readonly attribute: Attribute;
  readonly inCollection: boolean;
  readonly inSet: boolean;
  /** The provider sets the whole value that it is in. */
  readonly inComputed: boolean;
}

function* placed(
  attributes: Attributes,
  path: AttributePath,
  above = { inCollection: false, inSet: false, inComputed: false },
): Generator<Placed> {
  for (const [name, attribute] of Object.entries(attributes)) {
    const here = [...path, name];
    yield { path: formatPath(here), attribute, ...above };
    const nested = nestedAttributes(attribute.type);
    if (!nested) continue;
    const { kind }: Kind = attribute.type;
    yield* placed(nested, here, {
      inCollection: above.inCollection || kind !== "object",
      inSet: above.inSet || kind === "set",
      inComputed: above.inComputed || attribute.mode === "computed",
    });
  }
}

const all = [
  ...placed(cwpProvider.configuration, ["provider"]),
  ...cwpProvider.resources.flatMap(({ type, attributes }) => [...placed(attributes, [type])]),
];

test("finds definitions", () => {
  expect(all.length).toBeGreaterThan(60);
  expect(resources.length).toBeGreaterThan(7);
});

test.each(resources.map((one) => [one.type, one] as const))(
  "%s has a unique construct, and a sample that is valid",
  (type, { construct, sample, collection, attributes }) => {
    const twins = resources.filter(
      (one) =>
        one.construct === construct ||
        (collection && one.collection?.constructId === collection.constructId),
    );
    expect(twins.map((one) => one.type)).toEqual([type]);
    expect(provider.validateResource(type, complete(attributes, sample), undefined)).toEqual([]);
    if (collection) expect(Object.keys(attributes)).toContain(collection.list);
  },
);

test.each(all.filter(({ attribute }) => attribute.default !== undefined))(
  "the default of $path fits its kind and passes its checks",
  ({ attribute }) => {
    const attributes = { it: attribute };
    const config = { it: attribute.default ?? null };
    const decoded = decodeObject(attributes, config);
    expect(decoded).toEqual({ value: config, diagnostics: [] });
    // The default includes the defaults of its members.
    expect(validateAttributes(attributes, config)).toEqual([]);
  },
);

test.each(all)("$path follows the rules", ({ attribute, inCollection, inSet, inComputed }) => {
  const { mode, writeOnly, sensitive, requiresReplace, description } = attribute;
  expect(description).toMatch(/[.)]$/);
  // A member of a list has no prior value to keep.
  if (inCollection && !inComputed && mode !== "required" && mode !== "optional") {
    expect(attribute.plan).toBeDefined();
  }
  if (inCollection) expect(requiresReplace).toBeUndefined();
  if (inSet) expect(writeOnly).toBeUndefined();
  if (attribute.default !== undefined) expect(mode).toBe("optional");
  if (writeOnly) {
    expect(["required", "optional"]).toContain(mode);
    expect([sensitive, attribute.default, requiresReplace]).toEqual(Array(3).fill(undefined));
  }
  if (attribute.type.kind === "set") expect(nestedAttributes(attribute.type)).toBeUndefined();
});
