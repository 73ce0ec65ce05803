import { z } from "zod";
import { readTextFile } from "../../core/io/read-file";
import { parseJson } from "../../core/json/lossless-json";
import { isListValue, isObjectValue } from "../../core/values";
import type { Policy } from "../../protection/policy";
import { readPolicy } from "../../provider/collections/read-policy";
import { policiesFromJson, policiesToJson } from "../../provider/functions/policies-json";
import { compliancePolicyAttributes } from "../../provider/resources/compliance-policy";

/** Policies, or why there are none: a text for a line of a diagnostic. */
export type ReadPolicies = { readonly policies: readonly Policy[] } | { readonly fault: string };

/**
 * Reads a file of policies: as a console exports them, or as `policies` of a
 * `cwp_compliance_policy_set`. Rejects if the file cannot be read.
 */
export async function readPolicyFile(path: string): Promise<ReadPolicies> {
  return policiesOf(await readTextFile(path));
}

/** Reads the JSON of policies, in one of the two forms. */
export function policiesOf(text: string): ReadPolicies {
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    return { fault: `it is not JSON: ${failure.message}` };
  }
  // A policy of a resource has its checks by ID; one of a console has them in its condition.
  const isConfigured = Array.isArray(content) && content.some((entry) => isMember(entry, "checks"));
  if (!isConfigured) return fromConsole(text);
  const written = policiesToJson.call([z.json().parse(JSON.parse(text))]);
  if ("error" in written) return { fault: written.error.text };
  return typeof written.value === "string"
    ? fromConsole(written.value)
    : { fault: "it has no policies" };
}

function isMember(entry: unknown, name: string): boolean {
  return typeof entry === "object" && entry !== null && Object.hasOwn(entry, name);
}

function fromConsole(text: string): ReadPolicies {
  const read = policiesFromJson.call([text]);
  if ("error" in read) return { fault: read.error.text };
  const { value } = read;
  if (!isListValue(value)) return { fault: "it has no policies" };
  return {
    policies: value.map((entry) => {
      const name = isObjectValue(entry) && typeof entry.name === "string" ? entry.name : "";
      return readPolicy(compliancePolicyAttributes, entry, name);
    }),
  };
}
