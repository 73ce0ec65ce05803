import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleCustomRulesAttributes,
  DataConsoleCustomRulesProps,
} from "./props/data-console-custom-rules";
import { customRules, customRulesAttributes } from "../provider/data-sources/custom-rules";

/** The custom runtime rules (specification, section 9.3.4). */
export class DataConsoleCustomRules
  extends ConsoleDataSource
  implements DataConsoleCustomRulesAttributes
{
  static readonly tfResourceType = "cwp_custom_rules";

  constructor(scope: Construct, id: string, props: DataConsoleCustomRulesProps = {}) {
    super(scope, id, customRules, props);
  }

  get rawJson(): DataConsoleCustomRulesAttributes["rawJson"] {
    return computedOf(this, customRulesAttributes).rawJson;
  }
}
