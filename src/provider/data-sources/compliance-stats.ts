import type { ComplianceStats } from "../../api/areas/compliance-statistics";
import { dataSource } from "../listing";
import { computed, list, number, object, string } from "../../core/schema/attribute";
import type { StateOf } from "../../core/schema/types";
import { jsonAttribute, jsonText } from "./attributes";

const rate = object({
  name: computed(string(), "Name of the rated object."),
  rate: computed(number(), "Compliance rate, as the console counts it."),
});
const point = object({
  date: computed(string(), "Date."),
  failed: computed(number(), "Number of compliance checks that failed on that date."),
});
const check = object({
  id: computed(string(), "ID of the compliance check."),
  title: computed(string(), "Title of the compliance check."),
  rate: computed(number(), "Compliance rate, as the console counts it."),
});

const announced = "Null unless `kind` is `announced`.";

const complianceStatsAttributes = {
  kind: computed(
    string(),
    "Kind of statistics: `current` up to 20.12, `announced` from the next release on, which has none of the current ones (section 9.3.1).",
  ),
  current_json: jsonAttribute(
    "Statistics of releases up to 20.12 (null unless `kind` is `current`)",
  ),
  regulations: computed(list(rate), `Compliance rate of each regulation. ${announced}`),
  benchmarks: computed(list(rate), `Compliance rate of each benchmark. ${announced}`),
  rules: computed(list(rate), `Compliance rate of each policy rule. ${announced}`),
  trend: computed(list(point), `Failed checks over time. ${announced}`),
  checks: computed(list(check), `All compliance checks. ${announced}`),
};

/** GET stats/compliance returns one of two sets of data (section 9.3.1). */
export const complianceStats = dataSource({
  type: "cwp_compliance_stats",
  category: "Containers",
  description:
    "Compliance statistics (specification, section 4.5). The next release has other statistics (section 9.3.1); `kind` says which ones the console has.",
  attributes: complianceStatsAttributes,
  endpoints: ["getComplianceStats"],
  async read(_config, { connection: { client }, signal }) {
    return { state: stateOfStats(await client.complianceStats.get(signal)) };
  },
});

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
