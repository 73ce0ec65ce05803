import { stringifyBody } from "../../api/json";
import { entriesOf } from "../collections/contents";
import { duplicateKeys } from "../collections/collection-checks";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import { fillDefaults } from "../planning/pipeline";
import { policyCodec } from "../resources/compliance-policy";
import type { Attributes } from "../schema/attribute";
import { decodeObject } from "../schema/decode";
import { nestedAttributes } from "../schema/terraform";
import { validateAttributes } from "../schema/validate-attributes";
import { nestedObjects } from "../schema/walk";
import type { AttributePath, KnownObject, ObjectValue } from "../values";
import type { FunctionDefinition } from "../definitions/function-definition";
import { policiesAttributes } from "./policies";

/** The way back from `policies_from_json`: what a console can import. */
export const policiesToJson: FunctionDefinition = {
  name: "policies_to_json",
  summary: "Writes compliance policies as a console's JSON",
  description:
    "The JSON text of container compliance policies as the console's API takes them (specification, section 2.4): a bare array in the order of the policies, with the members that `cwp_compliance_policy_set` manages. The policies are written as that resource's, and what is left out has the same defaults.",
  parameters: [
    {
      name: "policies",
      // So that each policy can leave out what it likes.
      type: "dynamic",
      description: "The policies: a list of objects, as `policies` of the resource.",
    },
  ],
  returns: "string",

  call([policies = null]) {
    const given = { policies };
    const { value: config, diagnostics: mismatches } = decodeObject(
      policiesAttributes,
      given,
      ({ kind }, path) =>
        error("Wrong type", `${kind === "object" ? "an" : "a"} ${kind} is due`, path),
    );
    // What does not fit is taken for nothing, of which there is nothing more to say.
    const findings =
      mismatches.length > 0
        ? mismatches
        : [
            ...validateAttributes(policiesAttributes, config),
            ...duplicateKeys(config, "policies", ["name"]),
          ];
    const faults = [...findings, ...foreignMembers(policiesAttributes, given)];
    if (faults.length > 0)
      return { error: { text: faults.map(inOneLine).join("\n"), argument: 0 } };
    const complete = fillDefaults({
      attributes: policiesAttributes,
      config,
      prior: null,
      planned: config,
    });
    const items = entriesOf(complete, "policies").map((entry) =>
      policyCodec.encode({ entry, configured: entry, before: undefined }, undefined),
    );
    return { value: stringifyBody(items) };
  },
};

/** A misspelled member would be left out in silence, and with it what it says. */
function foreignMembers(
  attributes: Attributes,
  given: KnownObject | ObjectValue,
  path: AttributePath = [],
): Diagnostic[] {
  const foreign = Object.keys(given)
    .filter((name) => !Object.hasOwn(attributes, name))
    .map((name) => error("Unknown member", "there is no such attribute", [...path, name]));
  const nested = Object.entries(attributes).flatMap(([name, attribute]) => {
    const inner = nestedAttributes(attribute.type);
    if (!inner) return [];
    return nestedObjects(attribute, given[name] ?? null).flatMap(([step, object]) =>
      foreignMembers(inner, object, [...path, name, ...step]),
    );
  });
  return [...foreign, ...nested];
}

function inOneLine({ detail, path = [] }: Diagnostic): string {
  return `${formatPath(path)}: ${detail.replace(/\.$/, "")}`;
}
