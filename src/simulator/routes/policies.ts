import { stringifyJson } from "../../api/json";
import { jsonResponse } from "../messages";
import { CUSTOM_RULES } from "../inventory";
import type { Handlers } from "../route";

/** There are no runtime policies but those of a fresh console: none. */
const RUNTIME = { learningDisabled: false, rules: [] };

/** What connectivity tests read (section 4.2), of free shape, and custom rules (9.3.4). */
export const policies = {
  getPolicies: ({ state }) =>
    jsonResponse(
      200,
      stringifyJson({
        containerCompliance: { rules: state.data.collections.policies },
        containerRuntime: RUNTIME,
      }),
    ),

  getRuntimePolicies: () => jsonResponse(200, JSON.stringify(RUNTIME)),

  getCustomRules: () => jsonResponse(200, JSON.stringify(CUSTOM_RULES)),
} satisfies Handlers;
