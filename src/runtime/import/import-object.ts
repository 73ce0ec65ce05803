import type { Diagnostic } from "../../core/diagnostics";
import {
  endsConstructPath,
  errorAt,
  type Location,
  namesOf,
  providerKey,
  referencesIn,
} from "../../language";
import { repeatKnown } from "../evaluation/repetition";
import type { StoredObject } from "../evaluation/stored-objects";
import { referredNodes, type ResourceNode } from "../graph/configuration";
import { loadStacks } from "../validation/load";
import {
  closeStacks,
  openStacks,
  planningOf,
  type OpenStack,
  type PlanOptions,
} from "../plan/open-stacks";
import { findObject } from "../plan/refresh";
import { configuredResource } from "../plan/managed";
import { planOnly } from "../plan/plan-stacks";
import { readRequest, type StackPlanRequest } from "../plan/request";
import type { Planning, StackRun } from "../plan/run";
import { targetOf, type Target } from "../plan/target";
import {
  formatAddress,
  formatResourceAddress,
  parseAddress,
  parseProvider,
  type InstanceAddress,
} from "../../core/documents/address";
import { findInstance, setInstance } from "../../backends";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { emptyState, type InstanceKey, type State } from "../../core/documents/state";
import type { StackContext } from "../graph/stack-context";
import { toExactObject } from "../../core/documents/state-value";
import { didYouMean } from "../../core/suggest";
import { world } from "../../core/io/world";

export interface ImportOptions extends Omit<PlanOptions, keyof StackPlanRequest> {
  /** The address of a resource or an instance, or the path of its construct or the end of it. */
  readonly address: string;
  /** The provider's ID of the object. Default: the natural ID of the resource's type. */
  readonly id?: string;
}

export interface ImportResult {
  /** The address of the imported object, by stack. The states of other stacks were not changed. */
  readonly imported: ReadonlyMap<string, string>;
  /** True if `stop` was aborted before all imports. */
  readonly interrupted: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly ofStacks: readonly Omit<ExcludedStack, "isInput">[];
}

/**
 * Imports an existing object into the state of each selected stack, at an address of its
 * configuration. Reads from the consoles, and writes only the states.
 */
export async function importObject(options: ImportOptions): Promise<ImportResult> {
  const planOptions = {
    ...options,
    plannedAt: world.clock.now(),
    operation: "import",
  } satisfies PlanOptions;
  const imported = new Map<string, string>();
  const { loaded, diagnostics } = await loadStacks(planOptions);
  if (!loaded) return { imported, interrupted: false, diagnostics, ofStacks: [] };
  const { opened, read, faults, diagnostics: problems } = await openStacks(loaded, planOptions);
  const { scope } = readRequest({ refresh: false });
  const planning = planningOf({ loaded, scope, options: planOptions }, { opened, read });
  const found = [...diagnostics, ...problems];
  try {
    await Promise.all(
      opened.map(async (stack) => {
        const { name } = stack.run;
        const address = await importInto(planning, stack, options);
        if (address !== undefined) imported.set(name, address);
        planning.options.planned(name, address === undefined);
      }),
    );
  } finally {
    found.push(...(await closeStacks(opened)));
  }
  return {
    imported,
    interrupted: imported.size < opened.length && planning.options.stop.aborted,
    diagnostics: found,
    ofStacks: [
      ...[...faults].map(([stack, diagnostics]) => ({ stack, diagnostics })),
      ...opened.map(({ run: { name: stack, diagnostics } }) => {
        // An import may need nothing of what is missing or wrong.
        const wrong = imported.has(stack) ? undefined : loaded.faults.get(stack);
        return { stack, diagnostics: wrong ?? diagnostics };
      }),
    ],
  };
}

/** Returns the address of the imported object. If that fails, the run has the diagnostics. */
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
  // Evaluation changes the state of the run, which must not be written.
  const before = run.stored ?? emptyState();
  if (findInstance(before, instance)) {
    run.report([alreadyManaged(block, formatAddress(instance))]);
    return undefined;
  }
  const target = await configure(planning, run, block, instance);
  // A stack whose other objects are elsewhere would have objects of two consoles.
  const refusal =
    target && refusalAmong(before, target, parseProvider(target.providerAddress)?.alias);
  if (refusal) run.report([refusal]);
  const object = target && !refusal && (await readObject(planning, run, target, id));
  if (!object) return undefined;
  const { dependencies } = planning;
  // The next apply adds the marks of the configuration.
  const stored = {
    ...object.stored,
    dependencies: dependencies.addresses(block),
    createBeforeDestroy: dependencies.createsBeforeDestroy(block),
  };
  const written = await backend.write(
    setInstance(before, instance, target.providerAddress, stored),
  );
  run.report(written.diagnostics);
  return written.state && formatAddress(instance);
}

/**
 * Returns an error if objects of a state are not of the connection of their provider.
 *
 * @param alias - of the provider
 */
export function refusalAmong(
  { resources }: State,
  { provider, connection }: Pick<Target, "provider" | "connection">,
  alias: string | undefined,
): Diagnostic | undefined {
  for (const { mode, type, provider: address, instances } of resources) {
    if (mode !== "managed" || parseProvider(address)?.alias !== alias) continue;
    for (const { attributes } of instances) {
      const problem = provider.refusal(type, toExactObject(attributes), connection);
      if (problem) return problem;
    }
  }
  return undefined;
}

/** Configures the provider and evaluates the instance, without an apply. */
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
  if (run.hasErrors || planning.options.stop.aborted) return undefined;

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
): Promise<StoredObject | undefined> {
  const { observe } = planning.options;
  const { stack, type, where } = target;
  const about = { stack, address: where.address };
  const id = given ?? target.provider.importId(type);
  if (id !== undefined) observe({ type: "import_start", ...about, id });
  // Without an ID the provider reports the error.
  const prepared = () => {
    observe({ type: "import_prepared", ...about, resourceType: type });
  };
  return findObject(planning, run, target, { id: id ?? "", prepared });
}

function alreadyManaged({ config }: ResourceNode, address: string): Diagnostic {
  return errorAt(
    { ...config.where, address },
    "Resource already managed by Terraform",
    `The state already has an object at ${address}. To import another one there, remove it from the state first, with "state rm".`,
  );
}

interface ImportTarget {
  /** Undefined if there is none: the diagnostics have the error. */
  readonly block?: ResourceNode;
  /** The instance key of the address. The instance need not exist. */
  readonly key?: InstanceKey | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds a block by its address, or by the path of its construct or the end of it. */
function findImportTarget({ nodes }: StackContext, text: string): ImportTarget {
  const blocks = [...nodes.resources.values()].filter(({ config }) => config.mode === "managed");
  const address = parseAddress(text);
  const wanted = address && formatResourceAddress(address);
  const named = blocks.filter((block) =>
    wanted === undefined
      ? endsConstructPath(block.config.where.constructPath, text)
      : block.address === wanted,
  );
  const [block, ...others] = named;
  if (block && others.length === 0) return { block, key: address?.key, diagnostics: [] };
  const where = { address: text };
  if (block) {
    const detail = `${JSON.stringify(text)} is the path of several constructs. Name one of them by its address: ${named.map(describe).join(", ")}.`;
    return { diagnostics: [errorAt(where, "Ambiguous import target", detail)] };
  }
  const alike = blocks.filter(({ config }) => config.type === address?.type);
  const near = didYouMean(
    wanted ?? text,
    blocks.flatMap(({ address: known, config: { where } }) =>
      namesOf({ ...where, address: known }),
    ),
  );
  return { diagnostics: [notConfigured(where, alike.map(describe), near)] };
}

/** @param known Addresses of the same kind. */
function notConfigured(where: Location, known: readonly string[], near = ""): Diagnostic {
  const others = known.length > 0 ? ` It has ${known.join(", ")}.` : "";
  return errorAt(
    where,
    "Configuration for import target does not exist",
    `The stack has no ${where.address}. Add its construct to the stack first.${others}${near}`,
  );
}

function describe({ address, config: { where } }: ResourceNode): string {
  return where.constructPath === undefined
    ? address
    : `${address} (construct ${where.constructPath})`;
}
