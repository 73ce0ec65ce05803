import { joined, printable } from "../../core/printed";
import { stringifyJson, parseJson } from "../../core/json/lossless-json";
import { entriesOf } from "../collections/contents";
import { duplicateKeys } from "../collections/collection-attributes";
import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import { fillDefaults } from "../../core/planning/pipeline";
import { compliancePolicyAttributes, extraPolicyErrors } from "../resources/compliance-policy";
import { policyCodec } from "../resources/compliance-policy-codec";
import { type Attributes, list, object, required } from "../../core/schema/attribute";
import { decodeObject } from "../../core/schema/decode";
import { visitObject } from "../../core/schema/fold";
import { validateAttributes } from "../../core/schema/validate-attributes";
import { isObjectValue, type KnownObject, isWhollyKnown } from "../../core/values";
import type {
  FunctionDefinition,
  FunctionResult,
} from "../../core/definitions/provider-definition";
import { readCollection } from "../../api/collection-body";
import { COLLECTIONS } from "../../api/collections";
import type { CompliancePolicy } from "../../api/bodies";
import { formatJsonPath } from "../../api/check";
import { SchemaMismatchError } from "../../api/errors";
import { ANY, STRING } from "../../core/types";

/** The policies of `cwp_compliance_policy_set`, as functions take and give them. */
const policiesAttributes = {
  policies: required(list(object(compliancePolicyAttributes)), "The policies, in their order."),
};

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
      type: ANY,
      description: "The policies: a list of objects, as `policies` of the resource.",
    },
  ],
  returns: STRING,

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
            ...extraPolicyErrors(config),
          ];
    const faults = [...findings, ...foreignMembers(policiesAttributes, given)];
    if (faults.length > 0)
      return { error: { text: joined(faults.map(inOneLine), "\n").toString(), argument: 0 } };
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

/** Converts exported policies of a console to the attribute `policies`. */
export const policiesFromJson: FunctionDefinition = {
  name: "policies_from_json",
  summary: "Reads a console's compliance policies from JSON",
  description:
    "The container compliance policies in a JSON text, as a console exports them or its API gives them (specification, sections 2.4 and 4.2), in their order: a bare array, or an object with the array in `rules`. The result is what `policies` of `cwp_compliance_policy_set` takes. Further members, such as notes, are left out.",
  parameters: [
    {
      name: "text",
      type: STRING,
      description: "The JSON text, such as the content of an exported file.",
    },
  ],
  returns: policiesAttributes.policies.type,

  call([text]) {
    if (typeof text !== "string") throw new Error("the parameter is a string");
    const body = parse(text);
    if ("error" in body) return body;
    const items = read(body.value);
    if ("error" in items) return items;
    const value = items.value.map((item) => policyCodec.decode(item, undefined));
    if (!isWhollyKnown(value)) throw new Error("policies of a console are known");
    return { value };
  },
};

type Step<T> = { readonly value: T } | Extract<FunctionResult, { error: unknown }>;

function parse(text: string): Step<unknown> {
  try {
    return { value: parseJson(text) };
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    return refusal(`The text is not JSON: ${failure.message}`);
  }
}

function read(body: unknown): Step<readonly CompliancePolicy[]> {
  try {
    return { value: readCollection(COLLECTIONS.policies, body).items };
  } catch (failure) {
    if (!(failure instanceof SchemaMismatchError)) throw failure;
    return refusal(
      `The JSON is unlike the compliance policies that a console exports, at ${formatJsonPath(failure.path)}. Give a file of GET /policies/compliance/container, or the policies of a cwp_compliance_policy_set`,
    );
  }
}

function refusal(text: string) {
  return { error: { text: printable(text), argument: 0 } };
}
