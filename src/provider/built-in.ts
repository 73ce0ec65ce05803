import { cwpProvider } from "./cwp-provider";
import type { ProviderDefinition } from "../core/definitions/provider-definition";
import type { Log } from "../core/io/log";
import { nullProvider } from "../core/providers/null-provider";
import { Provider } from "../core/provider";
import { terraformProvider } from "../core/providers/terraform-provider";

/** The providers of the embedded executor by source. They write to `log`. */
export function builtInProviders(
  log: Log,
  definition = cwpProvider,
): ReadonlyMap<string, Provider<unknown>> {
  return new Map<string, Provider<unknown>>([
    entry(definition, log),
    entry(nullProvider, log),
    entry(terraformProvider, log),
  ]);
}

function entry<C>(definition: ProviderDefinition<C>, log: Log): [string, Provider<C>] {
  const configure: typeof definition.configure = (config, environment, _, directory) =>
    definition.configure(config, environment, log, directory);
  return [definition.source, new Provider({ ...definition, configure })];
}
