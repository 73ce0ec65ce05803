import { z } from "zod";
import { complianceCheckSchema, compliancePolicySchema } from "../../api/bodies";
import { jsonNumber, stringifyBody } from "../../api/json";
import { replacePolicies } from "../compliance-policies";
import { isInteger } from "../documents";
import { collectionResponse, DONE, withBody, type Handlers } from "../route";

const sentCheck = complianceCheckSchema.extend({
  id: jsonNumber.refine(isInteger, "must be an integer"),
});

/** Section 2.4, as strict as a console is with what it is sent. */
const sentPolicy = compliancePolicySchema.extend({
  name: z.string().min(1, "must not be empty"),
  condition: z
    .looseObject({
      readonly: z.boolean().nullish(),
      device: z.string().nullish(),
      vulnerabilities: z.array(sentCheck).nullish(),
    })
    .nullish(),
});

/** Container compliance policies: one ordered collection, read and replaced as a whole. */
export const compliance = {
  getCompliancePolicies: ({ state }) =>
    collectionResponse(state.data.compliancePolicies, stringifyBody),

  putCompliancePolicies: withBody(
    z.array(sentPolicy).nullable(),
    ({ state, caller, now }, sent) => {
      const before = state.data.compliancePolicies;
      state.update({ compliancePolicies: replacePolicies(before, sent ?? [], caller, now) });
      return DONE;
    },
  ),
} satisfies Handlers;
