import { readCollection } from "../../api/collection-body";
import { COLLECTIONS } from "../../api/collections";
import type { CompliancePolicy } from "../../api/bodies";
import { formatPath } from "../../api/check";
import { SchemaMismatchError } from "../../api/errors";
import { parseJson } from "../../api/json";
import { policyCodec } from "../resources/compliance-policy";
import { terraformType } from "../schema/terraform";
import { isWhollyKnown } from "../values";
import type { FunctionDefinition, FunctionResult } from "../definitions/function-definition";
import { policiesAttributes } from "./policies";

/** Converts exported policies of a console to the attribute `policies`. */
export const policiesFromJson: FunctionDefinition = {
  name: "policies_from_json",
  summary: "Reads a console's compliance policies from JSON",
  description:
    "The container compliance policies in a JSON text, as a console exports them or its API gives them (specification, sections 2.4 and 4.2), in their order: a bare array, or an object with the array in `rules`. The result is what `policies` of `cwp_compliance_policy_set` takes. Members that the resource does not manage are left out.",
  parameters: [
    {
      name: "text",
      type: "string",
      description: "The JSON text; the content of an exported file, for one.",
    },
  ],
  returns: terraformType(policiesAttributes.policies.type),

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
      `The JSON is unlike the compliance policies that a console exports, at ${formatPath(failure.path)}`,
    );
  }
}

function refusal(text: string) {
  return { error: { text, argument: 0 } };
}
