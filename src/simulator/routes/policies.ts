import { stringifyBody } from "../../api/json";
import { jsonResponse } from "../messages";
import type { Handlers } from "../route";

/** There are no runtime policies but those of a fresh console: none. */
const RUNTIME = { learningDisabled: false, rules: [] };

/** What connectivity tests read (section 4.2). Their shapes are free. */
export const policies: Handlers = {
  getPolicies: ({ state }) =>
    jsonResponse(
      200,
      stringifyBody({
        containerCompliance: { rules: state.data.compliancePolicies },
        containerRuntime: RUNTIME,
      }),
    ),

  getRuntimePolicies: () => jsonResponse(200, JSON.stringify(RUNTIME)),
};
