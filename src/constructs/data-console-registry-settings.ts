import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleRegistrySettingsAttributes,
  DataConsoleRegistrySettingsProps,
} from "./props/data-console-registry-settings";
import {
  registrySettings,
  registrySettingsAttributes,
} from "../provider/data-sources/registry-settings";

/**
 * The registry scan settings, as they are (specification, section 2.5). Inline credentials are never
 * read into a state.
 */
export class DataConsoleRegistrySettings
  extends ConsoleDataSource
  implements DataConsoleRegistrySettingsAttributes
{
  static readonly tfResourceType = "cwp_registry_settings";

  constructor(scope: Construct, id: string, props: DataConsoleRegistrySettingsProps = {}) {
    super(scope, id, registrySettings, props);
  }

  get specifications(): DataConsoleRegistrySettingsAttributes["specifications"] {
    return computedOf(this, registrySettingsAttributes).specifications;
  }
}
