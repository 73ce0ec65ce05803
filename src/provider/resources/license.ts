import { z } from "zod";
import { ApiError } from "../../api/errors";
import { unlessGone } from "../console/availability";
import { fingerprint } from "../collections/digest";
import type { Console } from "../console/connection";
import type { OperationContext } from "../definitions/operation";
import type { ResourceDefinition } from "../definitions/resource-definition";
import { warning, type Diagnostic } from "../diagnostics";
import type { ResourceListing } from "../definitions/listing";
import { computed, required, string } from "../schema/attribute";
import { UNKNOWN } from "../values";

export const licenseAttributes = {
  id: computed(string(), "Always `license`: a console has one license.", {
    plan: () => "license",
  }),
  key: required(string(z.string().min(1)), "The license key. It is sent and kept nowhere.", {
    writeOnly: true,
  }),
  key_fingerprint: computed(
    string(),
    "Tells a changed key: the first 16 hex digits of its SHA-256.",
    { plan: ({ config: { key } }) => (typeof key === "string" ? fingerprint(key) : UNKNOWN) },
  ),
};

/**
 * The console's license (specification, sections 2.3 and 3). There is no read: a console that
 * answers 402 to a functional call has none.
 */
export const license: ResourceDefinition<typeof licenseAttributes, Console> & ResourceListing = {
  type: "cwp_license",
  category: "Setup",
  construct: "License",
  setup: "license",
  sample: { key: "license-key" },
  description:
    "The console's license. Without one the console is not functional (specification, sections 2.3 and 3).",
  version: 0,
  attributes: licenseAttributes,
  endpoints: ["installLicense", "getRuntimePolicies"],

  planDestroy: () => [
    warning(
      "The license stays installed",
      "The console's API has no call that removes a license; it is only forgotten here.",
    ),
  ],

  async read(state, privateState, { connection, signal }) {
    const answer = await unlessGone(async () => {
      await connection.client.getRuntimePolicies(signal);
      return "installed";
    });
    return { state: answer === undefined ? null : state, private: privateState };
  },

  create: (_, { key }, context) => install(key, context),
  update: (_, __, { key }, ___, context) => install(key, context),
  delete: () => Promise.resolve({ state: null }),

  insteadOfImport: "An apply installs the key, also on a console that has a license already.",
};

async function install(key: string, { connection, signal }: OperationContext<Console>) {
  const state = { id: "license", key: null, key_fingerprint: fingerprint(key) };
  const diagnostics = await installOrProve(key, connection, signal);
  return { state, diagnostics };
}

/** A console that refuses the key but works has one: nobody can tell whether it is the same. */
async function installOrProve(
  key: string,
  { client }: Console,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  try {
    await client.installLicense(key, signal);
    return [];
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.status !== 400) throw refusal;
    const works = await unlessGone(async () => {
      await client.getRuntimePolicies(signal);
      return true;
    });
    if (!works) throw refusal;
    return [
      warning(
        "The console refused the license key, but has one",
        `It works with the license that is installed already; whether that is this key cannot be read from it. It said: ${refusal.message}`,
      ),
    ];
  }
}
