import { error, hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import type { PlannedRollback, RecordedWrite } from "../../core/definitions/resource-definition";
import {
  formatResourceAddress,
  parseAddress,
  parseProvider,
  type InstanceAddress,
} from "../../core/documents/address";
import {
  NOT_ROLLED_BACK,
  type RecordedObject,
  type RecordedStack,
} from "../../core/documents/run-record";
import type { InstanceState } from "../../core/documents/state";
import { markOf } from "../../backends";
import { groupBy } from "../../core/group-by";
import { formatJson } from "../../core/json/format-json";
import { joined, printed } from "../../core/printed";
import { instanceTree } from "../../formats/state-file/write";
import { errorAt, locate } from "../../language";
import { sensitivePaths } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import { decodeInstance, marked, marksOf, type StoredObject } from "../evaluation/stored-objects";
import { providerAt } from "../evaluation/providers";
import type { ProviderNode } from "../graph/configuration";
import { providerInState, type RollbackNode } from "./orphans";
import type { Planning, StackRun } from "./run";
import { unproved } from "./rollback-proof";
import { targetOf, type Target } from "./target";

/** An object whose change was recorded completely. */
interface Undoable {
  readonly recorded: RecordedObject;
  readonly target: Target;
  /** The object in the state before the run, and now. */
  readonly before: StoredObject | undefined;
  readonly present: StoredObject | undefined;
  readonly write: RecordedWrite | undefined;
}

/** Prepares the rollback of a stack. Errors are in the run. */
export function rollbackNode(run: StackRun, recorded: RecordedStack | undefined): RollbackNode {
  const providers = new Map<string, ProviderNode>();
  for (const { address, provider, content } of recorded?.objects ?? []) {
    const source = parseProvider(provider);
    const known = source && providerAt(source.address, run.context.providers)?.provider;
    const instance = parseAddress(address);
    if (content === "hidden" || !instance || providers.has(provider)) continue;
    if (known?.rollsBack(instance.type) !== true) continue;
    const node = providerInState(run, { ...instance, provider }, address);
    if (node) providers.set(provider, node);
  }
  return { kind: "rollback", stack: run.name, providers };
}

/**
 * Plans what a recorded run replaced to be put back: the content of consoles that still hold what the
 * run wrote, and the objects in the state. Whatever was changed since is an error. All other changes
 * of the run are named in a warning.
 */
export async function planRollback(
  { options, limit }: Planning,
  run: StackRun,
  { providers }: RollbackNode,
): Promise<boolean> {
  const recorded = options.rollback.get(run.name);
  if (!recorded || run.hasErrors) return !run.hasErrors;
  const other = otherState(run, recorded) ?? unproved(run.name, recorded, run.stored);
  if (other) {
    run.report([other]);
    return false;
  }
  const found = recorded.objects.map((object) => undoable(run, object, providers, recorded));
  run.report(found.flatMap(({ problem }) => problem ?? []));
  run.report(notRolledBack(found.flatMap(({ left }) => left ?? [])));
  if (found.some(({ problem }) => problem)) return false;
  const undoables = found.flatMap((one) => one.undoable ?? []);
  const groups = groupBy(undoables, ({ target }) => `${target.providerKey} ${target.type}`);
  for (const group of groups) {
    const { target } = group[0];
    const planned = await limit.run(() =>
      target.provider.planRollback(
        target.type,
        group.flatMap(({ write }) => write ?? []),
        { connection: target.connection, signal: options.abort },
      ),
    );
    const results = [...planned];
    for (const one of group) {
      const compared = (one.write && results.shift()) ?? {};
      const { problem } = compared;
      run.report(problem ? refused(problem, one) : addChange(run, one, compared, recorded));
    }
  }
  return !run.hasErrors;
}

function refused(
  problem: Diagnostic,
  { target, present, before }: Undoable,
): readonly Diagnostic[] {
  const [now, then] = [present, before].map((object) => object && marked(object));
  return answered([problem], target.where, now, then);
}

/** Returns an error if the state is not the one that the run has written. */
function otherState(
  { name, stored }: StackRun,
  { before, after }: RecordedStack,
): Diagnostic | undefined {
  const lineage = after?.lineage ?? before?.lineage ?? "";
  if (lineage === "" || lineage === stored?.lineage) return undefined;
  const found = stored ? `it has the lineage ${stored.lineage}` : "there is none";
  return error(
    "State is not the one that the run left",
    `The run wrote a state with the lineage ${lineage} for stack "${name}", and now ${found}. Nothing of the stack is rolled back.`,
  );
}

function undoable(
  run: StackRun,
  recorded: RecordedObject,
  providers: RollbackNode["providers"],
  stack: RecordedStack,
): { undoable?: Undoable; left?: string; problem?: readonly Diagnostic[] } {
  const { address, content, provider, before, stored, isComplete } = recorded;
  const instance = parseAddress(address);
  const key = providers.get(provider)?.key;
  const connection = key === undefined ? undefined : run.connections.get(key);
  const left = { left: `${address} (${describe(recorded)})` };
  if (!instance || content === "hidden" || key === undefined || !connection) return left;
  const schema = connection.provider.resourceAttributes(instance.type);
  if (!schema || !connection.provider.rollsBack(instance.type)) return left;
  // It had errors before it changed anything.
  if (content === "unchanged" && stored.every((one) => sameObject(before, one))) return {};
  const present = run.storedInstance(instance) ?? null;
  const known = [before, ...stored].some((one) => sameObject(one, present));
  // A killed run may have written what a later one has read, and one that was resumed has read what it
  // had written before: the content of the console then decides.
  const isRead = () => content !== "unchanged" && (!isComplete || isLeftBy(stack, run));
  if (!known && !isRead()) {
    return { problem: [changedSince(run, address, stack)] };
  }
  const target = targetOf(
    {
      ...instance,
      stack: run.name,
      providerKey: key,
      schema: { provider: connection, version: schema.version, attributes: schema.attributes },
      connection,
      ...configOf(run, instance),
    },
    instance.key,
  );
  const decoded = [before, present].map((one) =>
    one ? decodeInstance(connection.provider, instance.type, one) : { diagnostics: [] },
  );
  const problems = decoded.flatMap(({ diagnostics }) => locate(diagnostics, target.where));
  if (hasErrors(problems)) return { problem: problems };
  const [was, is] = decoded.map((one) => ("object" in one ? one.object : undefined));
  const object = (is ?? was)?.value ?? {};
  const write = content === "unchanged" ? undefined : { ...content, object };
  return { undoable: { recorded, target, before: was, present: is, write } };
}

/** Reports whether the state is the one that the run has left. */
function isLeftBy({ after }: RecordedStack, { stored }: StackRun): boolean {
  return stored !== undefined && markOf(stored).sha256 === after?.sha256;
}

function configOf(run: StackRun, instance: InstanceAddress) {
  const config = run.context.config.resources.get(formatResourceAddress(instance));
  return config ? { config } : {};
}

/** Adds the change of an object to the plan. Returns an error if it is not in the state any more. */
function addChange(
  run: StackRun,
  { target, write, before, present, recorded }: Undoable,
  { found, isDone = !write }: PlannedRollback,
  stack: RecordedStack,
): readonly Diagnostic[] {
  const { attributes } = target.schema;
  const now = run.storedInstance(target.instance) ?? null;
  if (isDone && sameObject(recorded.before, now)) return [];
  if (!present && !before) return [changedSince(run, recorded.address, stack)];
  const action = !present ? "create" : before ? "update" : "delete";
  const sensitive = (object: StoredObject | undefined) =>
    object ? sensitivePaths(attributes, object.value, marksOf(object)) : [];
  run.addChange(formatResourceAddress(target.instance), {
    change: {
      ...target.described,
      action,
      before: present?.value ?? null,
      after: before?.value ?? null,
      beforeSensitive: sensitive(present),
      afterSensitive: sensitive(before),
      replacePaths: [],
      ...(found && { found }),
    },
    target,
    surroundings: {},
    prior: present,
    planned: before?.value ?? null,
    rollback: { write: isDone ? undefined : write, before: recorded.before },
    dependencies: [],
    createBeforeDestroy: false,
  });
  return [];
}

/** Compares objects of the state. Reads change what providers keep with them. */
function sameObject(a: InstanceState | null, b: InstanceState | null): boolean {
  return a === null || b === null ? a === b : contentOf(a) === contentOf(b);
}

function contentOf({ schemaVersion, attributes, attributesFlat, status }: InstanceState): string {
  const facts = { sensitivePaths: [], dependencies: [], createBeforeDestroy: false };
  return formatJson(
    instanceTree({
      ...facts,
      schemaVersion,
      attributes,
      ...(attributesFlat && { attributesFlat }),
      ...(status && { status }),
    }),
  );
}

function describe({ before, stored }: RecordedObject): string {
  const after = stored.at(-1);
  if (after === undefined || sameObject(before, after)) return "was being changed";
  if (!before) return "created";
  return after ? "updated" : "destroyed";
}

function changedSince({ stored }: StackRun, address: string, { after }: RecordedStack): Diagnostic {
  const left = after ? `, whose state has the serial ${after.serial}` : "";
  return errorAt(
    { address },
    "Object changed since the run",
    `The state, of serial ${stored?.serial ?? 0}, has ${address} neither as the run left it${left}, nor as it was before. A later run changed it: roll that one back first.`,
  );
}

function notRolledBack(left: readonly string[]): readonly Diagnostic[] {
  if (left.length === 0) return [];
  const lines = left.map((one) => printed`\n  - ${one}`);
  return [
    warning(
      NOT_ROLLED_BACK,
      printed`The run also changed these objects. They stay as they are:${joined(lines, "")}`,
    ),
  ];
}
