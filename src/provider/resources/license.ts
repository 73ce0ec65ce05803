import { z } from "zod";
import { LICENSE, licenseSchema } from "../../api/areas/license";
import { parseTimestamp } from "../../api/areas/timestamp";
import { AbortedError, ApiError, ConsoleError } from "../../api/errors";
import { unlessGone } from "../console/availability";
import { fingerprint } from "../collections/members";
import type { Console } from "../console/connection";
import { planSetup } from "../console/setup";
import type { WriteContext } from "../../core/definitions/resource-definition";
import { warning, type Diagnostic } from "../../core/diagnostics";
import { consoleResource } from "../listing";
import { computed, required, string } from "../../core/schema/attribute";
import { UNKNOWN } from "../../core/values";

export const licenseAttributes = {
  id: computed(string(), "Always `license`: a console has one license.", {
    plan: () => "license",
  }),
  key: required(
    string(z.string().min(1)),
    "The license key. It is sent to the console and stored nowhere.",
    {
      writeOnly: true,
    },
  ),
  key_fingerprint: computed(
    string(),
    "First 16 hex digits of the key's SHA-256, which detects a changed key.",
    { plan: ({ config: { key } }) => (typeof key === "string" ? fingerprint(key) : UNKNOWN) },
  ),
  expires_at: computed(
    string(),
    "Time at which the license expires, in ISO 8601, as last read; null if the console does not answer it.",
    {
      noted: true,
      plan: ({ config: { key }, prior }) => {
        const isSame = typeof key === "string" && prior?.key_fingerprint === fingerprint(key);
        return isSame ? (prior.expires_at ?? null) : UNKNOWN;
      },
    },
  ),
};

/**
 * The console's license (specification, sections 2.3 and 3). The API cannot read it: a console that
 * answers 402 to a functional call has none.
 */
export const license = consoleResource({
  type: "cwp_license",
  category: "Setup",
  construct: "License",
  setup: "license",
  sample: { key: "license-key" },
  description:
    "The console's license (specification, sections 2.3 and 3). Without a license a console only answers its setup calls. One key can serve any number of consoles.",
  version: 0,
  attributes: licenseAttributes,
  endpoints: ["ping", "installLicense", "getRuntimePolicies"],

  async modifyPlan(request) {
    return { planned: request.planned, diagnostics: await planSetup("license", request) };
  },

  planDestroy: () => [
    warning(
      "License stays installed",
      "The console's API cannot remove a license. Destroy only removes the resource from the state.",
    ),
  ],

  async read(state, privateState, { connection, signal }) {
    const answer = await unlessGone(async () => {
      await connection.client.getRuntimePolicies(signal);
      return "installed";
    });
    if (answer === undefined) return { state: null, private: privateState };
    const expires = await expiryOf(connection, signal);
    const isRead = expires !== undefined && expires !== state.expires_at;
    return { state: isRead ? { ...state, expires_at: expires } : state, private: privateState };
  },

  create: (_, { key }, context) => install(key, context),
  update: ({ config: { key } }, context) => install(key, context),
  delete: () => Promise.resolve({ state: null }),

  insteadOfImport: "An apply installs the key, also on a console that already has a license.",
});

async function install(key: string, { connection, signal, beforeWrite }: WriteContext<Console>) {
  await beforeWrite();
  const diagnostics = await installOrVerify(key, connection, signal);
  const expires_at = (await expiryOf(connection, signal)) ?? null;
  const state = { id: "license", key: null, key_fingerprint: fingerprint(key), expires_at };
  return { state, diagnostics };
}

/** Undefined if it cannot be read: that is no reason to fail, and no change. */
async function expiryOf({ client }: Console, signal: AbortSignal): Promise<string | undefined> {
  try {
    const found = licenseSchema.safeParse(
      (await client.request(LICENSE, { probe: "once", signal })).json(),
    ).data;
    return parseTimestamp(found?.expiration_date)?.toISOString();
  } catch (failure) {
    if (failure instanceof ConsoleError && !(failure instanceof AbortedError)) return undefined;
    throw failure;
  }
}

/** Installs the key. A console that refuses it but works has a license, which cannot be read. */
async function installOrVerify(
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
        "License key was refused, but the console has a license",
        `The console works with a license that was installed before. It cannot be read, so it may be another key. The console's answer: ${refusal.message}`,
      ),
    ];
  }
}
