import type { Console } from "../console/connection";
import { computed, map, optional, string } from "../../core/schema/attribute";
import type { EphemeralResourceDefinition } from "../../core/definitions/provider-definition";

const attributes = {
  triggers: optional(
    map(string()),
    "Arbitrary strings. The token is requested when all of them are known. A value that is unknown until apply delays the request until then: on a new console, use the ID of a `terraform_data` that depends on the license. IDs of this provider are known at plan time.",
  ),
  token: computed(string(), "The token, for the header `Authorization: Bearer`.", {
    sensitive: true,
  }),
  expires_at: computed(string(), "Time of expiry (RFC 3339)."),
};

/**
 * A new token of the console for other tools (specification, section 5). It lasts longer than any
 * run, and the API cannot revoke it.
 */
export const consoleToken: EphemeralResourceDefinition<typeof attributes, Console> = {
  type: "cwp_token",
  category: "Setup",
  description:
    "A bearer token for other tools that call the console's API (specification, section 5), valid for 24 hours. It is issued for the provider's username and password, or for its client certificate, and is not stored.",
  attributes,

  async open({ triggers }, { connection, signal }) {
    const { token, expiresAt } = await connection.client.issueToken(signal);
    return { result: { triggers, token, expires_at: expiresAt.toISOString() } };
  },
};
