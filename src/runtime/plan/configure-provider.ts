import { hasErrors } from "../../core/diagnostics";
import type { ProviderNode } from "../graph/configuration";
import type { StackRun } from "./run";

/** Configures a provider with the values known so far; false if that fails. */
export async function configureProviderBlock(run: StackRun, node: ProviderNode): Promise<boolean> {
  const { connection, diagnostics } = await run.context.connections.configure(node, run.values);
  run.report(diagnostics);
  if (connection) run.connections.set(node.key, connection);
  return !hasErrors(diagnostics);
}
