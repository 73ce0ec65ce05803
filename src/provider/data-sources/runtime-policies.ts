import { dataSource } from "../listing";
import { jsonAttribute, jsonText } from "./attributes";

const attributes = {
  raw_json: jsonAttribute("Runtime policies for containers, whose shape is not specified"),
};

export const runtimePolicies = dataSource({
  type: "cwp_runtime_policies",
  category: "Policies",
  description: "The console's runtime policies for containers (specification, section 4.2).",
  attributes,
  endpoints: ["getRuntimePolicies"],
  async read(_config, { connection: { client }, signal }) {
    return { state: { raw_json: jsonText(await client.getRuntimePolicies(signal)) } };
  },
});
