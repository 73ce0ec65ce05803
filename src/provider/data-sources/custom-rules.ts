import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { jsonAttribute, jsonText } from "./attributes";

export const customRulesAttributes = {
  raw_json: jsonAttribute("Custom rules, whose shape is not specified"),
};

/** The path changes in the next release (section 9.3.4); the data source does not. */
export const customRules: DataSourceDefinition<typeof customRulesAttributes, Console> &
  DataSourceListing = {
  type: "cwp_custom_rules",
  category: "Policies",
  description: "The console's custom runtime rules (specification, section 9.3.4).",
  attributes: customRulesAttributes,
  endpoints: ["getCustomRules"],
  async read(_config, { connection: { client }, signal }) {
    return { state: { raw_json: jsonText(await client.getCustomRules(signal)) } };
  },
};
