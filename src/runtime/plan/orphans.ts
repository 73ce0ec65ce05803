import { formatResourceAddress, parseProvider } from "../../core/documents/address";
import type { ResourceState } from "../../core/documents/state";
import { errorAt, providerKey } from "../../language";
import { providerAt, sourceOf, unknownType, unsupported } from "../evaluation/providers";
import type { ConfigurationNode, ProviderNode } from "../graph/configuration";
import { REMOTE_STATE } from "../graph/configuration";
import { includesDeposed, planDeletions } from "./deletions";
import type { Planning, StackRun } from "./run";
import type { TargetSelection } from "./targets";
import { decodeResource } from "./stored-resource";
import type { TargetResource } from "./target";

/** A resource of the state that is not in the configuration, or of which only deposed objects are planned. */
export interface OrphanNode {
  readonly kind: "orphan";
  readonly stack: string;
  readonly address: string;
  readonly resource: ResourceState;
  readonly provider: ProviderNode;
}

/** The rollback of all objects of a stack. */
export interface RollbackNode {
  readonly kind: "rollback";
  readonly stack: string;
  /** The providers that put back what was recorded, by their address in the state. */
  readonly providers: ReadonlyMap<string, ProviderNode>;
}

export type PlanNode = ConfigurationNode | OrphanNode | RollbackNode;

/**
 * Finds the orphans of a stack, each with the provider that destroys it. Removes data sources without
 * a block from the state.
 */
export function findOrphans(
  run: StackRun,
  selection: TargetSelection | undefined,
): readonly OrphanNode[] {
  const { config } = run.context;
  return [...run.storedResources.values()].flatMap((resource) => {
    const address = formatResourceAddress(resource);
    const configured = run.context.nodes.resources.get(address);
    const isLeftOut = configured !== undefined && selection?.nodes.has(configured) === false;
    const isWanted =
      (!isLeftOut && isSelected(run, resource, selection)) || hasDeposed(run, resource, selection);
    if (!isWanted) return [];
    if (resource.mode === "data") {
      if (!config.dataSources.has(address) && resource.module === undefined) forget(run, resource);
      return [];
    }
    if (config.resources.has(address) && !isLeftOut) return [];
    const provider = providerInState(run, resource, address);
    return provider ? [{ kind: "orphan", stack: run.name, address, resource, provider }] : [];
  });
}

function isSelected(
  { name }: StackRun,
  resource: ResourceState,
  selection: TargetSelection | undefined,
): boolean {
  if (!selection) return true;
  return resource.instances.some(({ indexKey }) =>
    selection.includes(name, { ...resource, key: indexKey }),
  );
}

/** Reports whether targets include deposed objects of a resource. */
function hasDeposed(
  run: StackRun,
  resource: ResourceState,
  selection: TargetSelection | undefined,
): boolean {
  if (!selection) return false;
  return resource.instances.some(
    ({ deposed, indexKey }) =>
      deposed !== undefined && includesDeposed(run, selection, { ...resource, key: indexKey }),
  );
}

export async function planOrphan(
  planning: Planning,
  run: StackRun,
  { stack, resource, provider }: OrphanNode,
): Promise<boolean> {
  const { mode, type, name } = resource;
  const connection = run.connections.get(provider.key);
  const schema = connection?.provider.resourceAttributes(type);
  if (!connection || !schema) return false;
  const { version, attributes } = schema;
  const target: TargetResource = {
    stack,
    mode,
    type,
    name,
    providerKey: provider.key,
    schema: { provider: connection, version, attributes },
    connection,
  };
  const stored = decodeResource(run, target);
  if (!stored) return false;
  return (await planDeletions(planning, run, target, stored)).ok;
}

/** Returns the provider of an object in the state. Undefined after an error, which is in the run. */
export function providerInState(
  run: StackRun,
  { module, mode, provider, type }: Omit<ResourceState, "name" | "instances">,
  address: string,
): ProviderNode | undefined {
  const { config, nodes, providers } = run.context;
  const where = { address };
  if (module !== undefined) {
    run.report([
      errorAt(
        where,
        "Modules are not supported",
        `The state holds ${address}, which belongs to a module. Terraform can run the stack.`,
      ),
    ]);
    return undefined;
  }
  const parsed = parseProvider(provider);
  const selected = parsed && providerAt(parsed.address, providers);
  if (!parsed || !selected) {
    run.report([unsupported(where, parsed?.address ?? provider)]);
    return undefined;
  }
  if (!selected.provider.resourceAttributes(type)) {
    run.report([unknownType(where, { mode, type }, selected.provider)]);
    return undefined;
  }
  const source = sourceOf(parsed.address);
  const local =
    [...config.requiredProviders].find(([, { address }]) => sourceOf(address) === source)?.[0] ??
    selected.provider.definition.name;
  const key = providerKey({ ...parsed, name: local });
  const configured = nodes.providers.get(key);
  if (configured) return configured;
  if (parsed.alias === undefined) {
    const implied: ProviderNode = { kind: "provider", stack: run.name, key };
    nodes.providers.set(key, implied);
    return implied;
  }
  run.report([
    errorAt(
      where,
      "Provider configuration not present",
      `To destroy ${address}, its provider configuration ${provider} is needed, but it was removed. Add it back, destroy the resource, then remove it.`,
    ),
  ]);
  return undefined;
}

function forget(run: StackRun, resource: ResourceState): void {
  if (resource.type === REMOTE_STATE) return;
  for (const { indexKey } of resource.instances) {
    run.state.remove({ ...resource, key: indexKey });
  }
}
