import { hasErrors } from "../../provider/diagnostics";
import { conformBody } from "../evaluation/conform";
import { locate } from "../config/located";
import { providerAt, providerAddress, type SelectedProvider } from "../evaluation/providers";
import type { StackValues } from "../evaluation/stack-values";
import type { ProviderNode } from "../graph/configuration";
import type { EngineOptions, StackRun } from "./run";

/** Configures a provider with what is known; false where that fails. */
export async function configureProvider(
  { environment }: EngineOptions,
  run: StackRun,
  node: ProviderNode,
  values: StackValues,
): Promise<boolean> {
  const selected = selectedProvider(run, node);
  // A block without resources, of a provider that is not included: nothing is asked of it.
  if (!selected) return true;
  const { provider } = selected;
  const where = node.block?.where ?? { address: `provider.${node.key}` };
  const body = conformBody(
    node.block?.body ?? new Map(),
    provider.definition.configuration,
    values,
    where,
    { ephemeral: true },
  );
  run.report(body.diagnostics);
  const invalid = locate(provider.validateConfiguration(body.value), where);
  run.report(invalid);
  if (hasErrors([...body.diagnostics, ...invalid])) return false;
  const { connection, diagnostics } = await provider.configure(
    body.value,
    environment,
    undefined,
    run.context.config.directory,
  );
  run.report(locate(diagnostics, where));
  run.connections.set(node.key, { ...selected, connection });
  return !hasErrors(diagnostics);
}

function selectedProvider(
  { context }: StackRun,
  { key }: ProviderNode,
): SelectedProvider | undefined {
  const [name = key] = key.split(".");
  return providerAt(providerAddress(context.config, name), context.providers);
}
