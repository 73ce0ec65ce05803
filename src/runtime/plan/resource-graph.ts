import type { Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import { Dependencies } from "../graph/dependencies";
import type { ResourceGraph } from "../../core/documents/resource-graph";
import { closeProviders, loadStacks, type LoadOptions } from "../validation/load";

/** Reads the dependencies of resources from the configuration alone. */
export async function resourceGraphs(
  options: LoadOptions,
): Promise<{ graphs?: readonly ResourceGraph[]; diagnostics: readonly Diagnostic[] }> {
  const { loaded, diagnostics } = await loadStacks({ ...options, stateless: true });
  if (!loaded) return { diagnostics };
  await closeProviders(loaded);
  const dependencies = new Dependencies(loaded.configuration);
  const graphs = [...loaded.contexts].map(([stack, { nodes }]): ResourceGraph => ({
    stack,
    resources: [...nodes.resources.values()]
      .map((node) => ({ address: node.address, dependencies: dependencies.direct(node) }))
      .sort((a, b) => compareStrings(a.address, b.address)),
  }));
  return { graphs, diagnostics };
}
