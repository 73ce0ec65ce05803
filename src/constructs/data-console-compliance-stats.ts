import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleComplianceStatsAttributes,
  DataConsoleComplianceStatsProps,
} from "./props/data-console-compliance-stats";
import {
  complianceStats,
  complianceStatsAttributes,
} from "../provider/data-sources/compliance-stats";

/**
 * Compliance statistics for the dashboard (specification, section 4.5). The next release has others
 * in their place (section 9.3.1); `kind` tells which.
 */
export class DataConsoleComplianceStats
  extends ConsoleDataSource
  implements DataConsoleComplianceStatsAttributes
{
  static readonly tfResourceType = "cwp_compliance_stats";

  constructor(scope: Construct, id: string, props: DataConsoleComplianceStatsProps = {}) {
    super(scope, id, complianceStats, props);
  }

  get kind(): DataConsoleComplianceStatsAttributes["kind"] {
    return computedOf(this, complianceStatsAttributes).kind;
  }

  get currentJson(): DataConsoleComplianceStatsAttributes["currentJson"] {
    return computedOf(this, complianceStatsAttributes).currentJson;
  }

  get regulations(): DataConsoleComplianceStatsAttributes["regulations"] {
    return computedOf(this, complianceStatsAttributes).regulations;
  }

  get benchmarks(): DataConsoleComplianceStatsAttributes["benchmarks"] {
    return computedOf(this, complianceStatsAttributes).benchmarks;
  }

  get rules(): DataConsoleComplianceStatsAttributes["rules"] {
    return computedOf(this, complianceStatsAttributes).rules;
  }

  get trend(): DataConsoleComplianceStatsAttributes["trend"] {
    return computedOf(this, complianceStatsAttributes).trend;
  }

  get checks(): DataConsoleComplianceStatsAttributes["checks"] {
    return computedOf(this, complianceStatsAttributes).checks;
  }
}
