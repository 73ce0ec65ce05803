import type { ComplianceStats } from "../../api/areas/compliance-statistics";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, number, object, string } from "../schema/attribute";
import type { StateOf } from "../schema/types";
import { jsonAttribute, jsonText } from "./attributes";

const rate = object({
  name: computed(string(), "What is rated."),
  rate: computed(number(), "How much of it complies, as the console counts."),
});
const point = object({
  date: computed(string(), "The day."),
  failed: computed(number(), "How many compliance checks failed on it."),
});
const check = object({
  id: computed(string(), "ID of the compliance check."),
  title: computed(string(), "What it asks for."),
  rate: computed(number(), "How much complies, as the console counts."),
});

const announced = "Null unless `kind` is `announced`.";

export const complianceStatsAttributes = {
  kind: computed(
    string(),
    "Which statistics the console has: `current` up to 20.12, `announced` from the next release on, which has none of the current ones (section 9.3.1).",
  ),
  current_json: jsonAttribute(
    "Null unless `kind` is `current`: the statistics, whose shape is not specified",
  ),
  regulations: computed(list(rate), `The rate of each regulation. ${announced}`),
  benchmarks: computed(list(rate), `The rate of each benchmark. ${announced}`),
  rules: computed(list(rate), `The rate of each policy rule. ${announced}`),
  trend: computed(list(point), `Failed checks over time. ${announced}`),
  checks: computed(list(check), `All compliance checks. ${announced}`),
};

/** GET stats/compliance: one of two sets of data, told apart by `kind` (section 9.3.1). */
export const complianceStats: DataSourceDefinition<typeof complianceStatsAttributes, Console> &
  DataSourceListing = {
  type: "cwp_compliance_stats",
  category: "Containers",
  description: "Compliance statistics for the dashboard (specification, sections 4.5 and 9.3.1).",
  attributes: complianceStatsAttributes,
  endpoints: ["getComplianceStats"],
  async read(_config, { connection: { client }, signal }) {
    return { state: stateOfStats(await client.complianceStats.get(signal)) };
  },
};

function stateOfStats(stats: ComplianceStats): StateOf<typeof complianceStatsAttributes> {
  if (stats.kind === "current") {
    return {
      kind: "current",
      current_json: jsonText(stats.data),
      regulations: null,
      benchmarks: null,
      rules: null,
      trend: null,
      checks: null,
    };
  }
  const { kind, regulations, benchmarks, rules, trend, checks } = stats;
  const rated = ({ name, rate }: { name: string; rate: number }) => ({ name, rate });
  return {
    kind,
    current_json: null,
    regulations: regulations.map(rated),
    benchmarks: benchmarks.map(rated),
    rules: rules.map(rated),
    trend: trend.map(({ date, failed }) => ({ date, failed })),
    checks: checks.map(({ id, title, rate }) => ({ id, title, rate })),
  };
}
