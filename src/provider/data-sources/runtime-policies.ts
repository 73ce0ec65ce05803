import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { jsonAttribute, jsonText } from "./attributes";

export const runtimePoliciesAttributes = {
  raw_json: jsonAttribute("Runtime policies for containers, whose shape is not specified"),
};

export const runtimePolicies: DataSourceDefinition<typeof runtimePoliciesAttributes, Console> &
  DataSourceListing = {
  type: "cwp_runtime_policies",
  category: "Policies",
  description: "The console's runtime policies for containers (specification, section 4.2).",
  attributes: runtimePoliciesAttributes,
  endpoints: ["getRuntimePolicies"],
  async read(_config, { connection: { client }, signal }) {
    return { state: { raw_json: jsonText(await client.getRuntimePolicies(signal)) } };
  },
};
