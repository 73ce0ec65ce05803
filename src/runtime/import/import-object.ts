import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { sensitivePaths } from "../evaluation/attributes";
import { errorAt } from "../config/located";
import { repeatKnown } from "../evaluation/repetition";
import { encodeInstance } from "../evaluation/stored-objects";
import { providerKey } from "../config/provider-blocks";
import { referencesIn, referredNodes, type ResourceNode } from "../graph/configuration";
import { findImportTarget, notConfigured } from "./import-target";
import { loadStacks } from "../validation/load";
import {
  closeStacks,
  openStacks,
  planningOf,
  type OpenStack,
  type PlanOptions,
} from "../plan/open-stacks";
import { findObject, type FoundObject } from "../plan/find-object";
import { configuredResource } from "../plan/managed";
import { planOnly } from "../plan/plan";
import { readRequest, type PlanRequest } from "../plan/request";
import type { Planning, StackRun } from "../plan/run";
import { targetOf, type Target } from "../plan/target";
import { formatAddress, type InstanceAddress } from "../state/address";
import { findInstance, setInstance } from "../state/instances";
import { emptyState, type InstanceState } from "../state/state";

export interface ImportOptions extends Omit<PlanOptions, "stacks" | keyof PlanRequest> {
  readonly stack: string;
  /** Of a resource or of one of its instances; or its construct's path, or the end of that. */
  readonly address: string;
  /** What to import, as the provider names it. Default: the natural ID of the resource's type. */
  readonly id?: string;
}

export interface ImportResult {
  /** The address that state has now; undefined where the state stayed as it was. */
  readonly imported: string | undefined;
  /** `stop` came before it was done. */
  readonly interrupted: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes an object that exists into a stack's state, at an address that the stack's configuration
 * has. Reads from the console, and writes nothing but the state.
 */
export async function importObject(options: ImportOptions): Promise<ImportResult> {
  const planOptions: PlanOptions = {
    ...options,
    stacks: [options.stack],
    operation: "import",
  };
  const { loaded, diagnostics } = await loadStacks(planOptions);
  if (!loaded) return { imported: undefined, interrupted: false, diagnostics };
  const { opened, diagnostics: problems } = await openStacks(loaded, planOptions);
  const found = [...diagnostics, ...problems];
  const { scope } = readRequest({ refresh: false });
  const planning = planningOf(loaded, planOptions, scope, opened);
  let imported: string | undefined;
  try {
    for (const stack of opened) {
      imported = await importInto(planning, stack, options);
      found.push(...stack.run.diagnostics);
    }
  } finally {
    found.push(...(await closeStacks(opened)));
  }
  return {
    imported,
    interrupted: imported === undefined && planning.options.stop.aborted,
    diagnostics: found,
  };
}

/** The address of what was imported. Undefined where that failed: the run has the diagnostics. */
async function importInto(
  planning: Planning,
  { run, backend }: OpenStack,
  { address, id }: ImportOptions,
): Promise<string | undefined> {
  const { block, key, diagnostics } = findImportTarget(run.context, address);
  run.report(diagnostics);
  if (!block) return undefined;
  const { mode, type, name } = block.config;
  const instance: InstanceAddress = { mode, type, name, key };
  // What the configuration needs to be evaluated goes into the run's state, but not into the file.
  const before = run.stored ?? emptyState();
  if (findInstance(before, instance)) {
    run.report([alreadyManaged(block, formatAddress(instance))]);
    return undefined;
  }
  const target = await configure(planning, run, block, instance);
  const object = target && (await readObject(planning, run, target, id));
  if (!object) return undefined;
  const stored = encode(planning, block, target, object);
  const written = await backend.write(
    setInstance(before, instance, target.providerAddress, stored),
  );
  run.report(written.diagnostics);
  return written.state && formatAddress(instance);
}

/** The instance with its provider, as far as these depend on what is known without an apply. */
async function configure(
  planning: Planning,
  run: StackRun,
  block: ResourceNode,
  instance: InstanceAddress,
): Promise<Target | undefined> {
  const { config } = block;
  const { nodes } = run.context;
  const provider = nodes.providers.get(providerKey(config.provider));
  await planOnly(planning, [
    ...(provider ? [provider] : []),
    ...referredNodes(nodes, referencesIn([config.count, config.forEach])),
  ]);
  if (hasErrors(run.diagnostics) || planning.options.stop.aborted) return undefined;

  const { instances, diagnostics } = repeatKnown(config, run.values);
  run.report(diagnostics);
  if (!instances) return undefined;
  if (!instances.some(({ key }) => key === instance.key)) {
    const keys = instances.map(({ key }) => formatAddress({ ...instance, key }));
    run.report([notConfigured({ ...config.where, address: formatAddress(instance) }, keys)]);
    return undefined;
  }
  const resource = configuredResource(run, block);
  if (!resource) throw new Error(`the provider of ${block.address} was not configured`);
  return targetOf(resource, instance.key);
}

async function readObject(
  planning: Planning,
  run: StackRun,
  target: Target,
  given: string | undefined,
): Promise<FoundObject | undefined> {
  const { observe } = planning.options;
  const { stack, type, where } = target;
  const about = { stack, address: where.address };
  const id = given ?? target.provider.importId(type);
  if (id !== undefined) observe({ type: "import_start", ...about, id });
  // Without any ID there is nothing to import from, and the provider says why.
  return findObject(planning, run, target, id ?? "", () => {
    observe({ type: "import_prepared", ...about, resourceType: type });
  });
}

/** What only the configuration marks as sensitive, the next apply adds. */
function encode(
  { dependencies }: Planning,
  block: ResourceNode,
  { schema }: Target,
  object: FoundObject,
): InstanceState {
  return encodeInstance(schema, object.state, {
    private: object.private,
    sensitive: sensitivePaths(schema.attributes, object.state),
    dependencies: dependencies.addresses(block),
    createBeforeDestroy: dependencies.createsBeforeDestroy(block),
  });
}

function alreadyManaged({ config }: ResourceNode, address: string): Diagnostic {
  return errorAt(
    { ...config.where, address },
    "Resource already managed by Terraform",
    `The state has an object at ${address} already. To import another one there, have the state forget it first, with "state rm".`,
  );
}
