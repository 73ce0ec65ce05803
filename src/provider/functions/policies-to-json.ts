import { stringifyJson } from "../../api/json";
import { entriesOf } from "../collections/contents";
import { duplicateKeys } from "../collections/collection-checks";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import { fillDefaults } from "../planning/pipeline";
import { policyCodec } from "../resources/compliance-policy";
import type { Attributes } from "../schema/attribute";
import { decodeObject } from "../schema/decode";
import { visitObject } from "../schema/fold";
import { validateAttributes } from "../schema/validate-attributes";
import { isObjectValue, type KnownObject } from "../values";
import type { FunctionDefinition } from "../definitions/function-definition";
import { policiesAttributes } from "./policies";

/** Converts policies to JSON that a console can import; the inverse of `policies_from_json`. */
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
      (kind, path) => error("Wrong type", `${kind} required`, path),
    );
    // A value of another type is decoded as null, so further checks would repeat the error.
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
    return { value: stringifyJson(items) };
  },
};

/** Reports misspelled members, which would be dropped without a word. */
function foreignMembers(attributes: Attributes, given: KnownObject): readonly Diagnostic[] {
  const foreign: Diagnostic[] = [];
  visitObject(attributes, given, (value, { path }, type) => {
    if (type.kind === "object" && isObjectValue(value)) {
      const names = Object.keys(value).filter((name) => !Object.hasOwn(type.attributes, name));
      const unknown = (name: string) =>
        error("Unknown member", "there is no such attribute", [...path, name]);
      foreign.push(...names.map(unknown));
    }
    return value !== null;
  });
  return foreign;
}

function inOneLine({ detail, path = [] }: Diagnostic): string {
  return `${formatPath(path)}: ${detail.replace(/\.$/, "")}`;
}
