import type { Console } from "../console/connection";
import { computed, map, optional, string } from "../schema/attribute";
import type { EphemeralResourceDefinition } from "../definitions/ephemeral-definition";

const attributes = {
  triggers: optional(
    map(string()),
    "Arbitrary strings. The token is asked for when all of them are known: with one that is known after apply only, as the ID of a resource to be created, not before that.",
  ),
  token: computed(string(), "The token, for the header `Authorization: Bearer`.", {
    sensitive: true,
  }),
  expires_at: computed(string(), "When the token ends (RFC 3339)."),
};

/**
 * A token of the console's for other tools (specification, section 5), anew at every opening. It
 * lasts longer than any run, and the API has no call that ends one.
 */
export const consoleToken: EphemeralResourceDefinition<typeof attributes, Console> = {
  type: "cwp_token",
  category: "Setup",
  description:
    "A bearer token for other tools that call the console's API (specification, section 5), valid for 24 hours. It is issued for the provider's username and password, or for its client certificate, and stored nowhere.",
  attributes,

  async open({ triggers }, { connection, signal }) {
    const { token, expiresAt } = await connection.client.issueToken(signal);
    return { result: { triggers, token, expires_at: expiresAt.toISOString() } };
  },
};
