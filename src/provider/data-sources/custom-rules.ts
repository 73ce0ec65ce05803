import { dataSource } from "../listing";
import { jsonAttribute, jsonText } from "./attributes";

const attributes = {
  raw_json: jsonAttribute("Custom rules, whose shape is not specified"),
};

/** The path changes in the next release (section 9.3.4); the data source does not. */
export const customRules = dataSource({
  type: "cwp_custom_rules",
  category: "Policies",
  description: "The console's custom runtime rules (specification, section 9.3.4).",
  attributes,
  endpoints: ["getCustomRules"],
  async read(_config, { connection: { client }, signal }) {
    return { state: { raw_json: jsonText(await client.getCustomRules(signal)) } };
  },
});
