import { z } from "zod";
import { inPropNames, propName } from "../naming";
import { configurationAttributes } from "../../provider/configuration/configuration-attributes";
import { bootstrap } from "../../provider/resources/bootstrap";
import { compliancePolicySet } from "../../provider/resources/compliance-policy-set";
import { containerScan } from "../../provider/resources/container-scan";
import { license } from "../../provider/resources/license";
import { registryScan } from "../../provider/resources/registry-scan";
import { serverlessAutoDeploy } from "../../provider/resources/serverless-auto-deploy";
import { serverlessScan } from "../../provider/resources/serverless-scan";
import { isConfigurable } from "../../core/schema/terraform";
import type { Attribute, Attributes, Kind } from "../../core/schema/attribute";
import type { TenantSettings } from "./console-tenant";

/** Adapts the schema of a value that is no string, for a source in which all values are text. */
export type Adapt = <T>(schema: z.ZodType<T>) => z.ZodType<T>;

/** The attributes of each element of a tenant. */
const ELEMENTS: Readonly<Record<keyof TenantSettings, Attributes>> = {
  console: configurationAttributes,
  bootstrap: bootstrap.attributes,
  license: license.attributes,
  policies: compliancePolicySet.attributes,
  registryScan: registryScan.attributes,
  serverlessScan: serverlessScan.attributes,
  serverlessAutoDeploy: serverlessAutoDeploy.attributes,
  containerScan: containerScan.attributes,
};

/**
 * The schema of overrides in a file of tenants. It has no secrets, and no address: both have a member
 * of the row. Values of single attributes are checked by the constructs, after the merge.
 */
export function settingsSchema(adapt: Adapt): z.ZodType {
  const members = Object.entries(ELEMENTS).map(([name, attributes]) => {
    return [name, optional(props(attributes, adapt))] as const;
  });
  return adapt(z.strictObject(Object.fromEntries(members)));
}

function props(attributes: Attributes, adapt: Adapt): z.ZodType {
  const members = Object.entries(attributes).flatMap(([name, attribute]) =>
    isConfigurable(attribute) && !isOfRow(name, attribute)
      ? [
          [
            propName(name),
            optional(valueOf(attribute.type, adapt)).describe(
              inPropNames(attributes, attribute.description),
            ),
          ] as const,
        ]
      : [],
  );
  return adapt(z.strictObject(Object.fromEntries(members)));
}

/** The attributes that identify the console of a tenant. */
const OF_ROW = new Set(["base_url", "project", "previous_base_urls", "console_id"]);

/** Reports whether the row itself has the value: the console and secrets. */
function isOfRow(name: string, { sensitive, writeOnly }: Attribute): boolean {
  return OF_ROW.has(name) || sensitive === true || writeOnly === true;
}

/** Overrides can leave out each member, and remove it with null. */
function optional(schema: z.ZodType): z.ZodType {
  return schema.nullable().optional();
}

function valueOf(type: Kind, adapt: Adapt): z.ZodType {
  switch (type.kind) {
    case "string":
      return z.string();
    case "number":
      return adapt(z.number());
    case "bool":
      return adapt(z.boolean());
    case "any":
      return z.unknown();
    case "object":
      return props(type.attributes, adapt);
    case "map":
      return adapt(z.record(z.string(), optional(valueOf(type.element, adapt))));
    case "list":
    case "set":
      return adapt(z.array(entryOf(type.element, adapt)));
  }
}

/** An entry of a list. One with a name is merged by it, and can be removed. */
function entryOf(type: Kind, adapt: Adapt): z.ZodType {
  if (type.kind !== "object" || !("name" in type.attributes)) return valueOf(type, adapt);
  const removed: Attribute = {
    type: { kind: "bool" },
    mode: "optional",
    description: "Removes the entry of this name from the base line.",
  };
  return props({ ...type.attributes, removed }, adapt);
}
