import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { world } from "../../core/io/world";
import { unitsOf } from "../../fleet/rollout/units";
import type { StackLabels } from "../../fleet/selection/labels";
import { backendConfig, readJsonFile, type StackEntry } from "../../language";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import { whoRuns } from "../../runtime";
import type { Basis, InputUnit, RemoteOperation, RolloutInput } from "../../temporal";
import { waveFaults } from "../rollout/recorded-run";
import { newRunId } from "../rollout/run-log";
import { terraformBlock } from "../stacks/app-stacks";
import type { RunOptions } from "../stacks/run-options";

interface InputRequest {
  readonly operation: RemoteOperation;
  readonly stacks: readonly StackEntry[];
  /** All stacks of the app, which the labels are of. */
  readonly app: readonly StackEntry[];
  readonly labels: ReadonlyMap<string, StackLabels>;
  readonly basis: Basis;
  readonly options: RunOptions;
  /** The run that a rollback goes back from. */
  readonly rollsBack?: string | undefined;
}

/** Milliseconds after which a worker that is not heard of has lost its stacks. */
export const DEFAULT_LEASE_MS = 30_000;

interface Refused {
  readonly problems: readonly Diagnostic[];
}

/** Makes the start of a run of what its machines need to know. */
export async function inputOf(
  request: InputRequest,
): Promise<{ readonly input: Omit<RolloutInput, "attributes"> } | Refused> {
  const { operation, stacks, app, labels, basis, options, rollsBack } = request;
  const { waves, maxFailures, failOn, allowWeaker, allowUnknown } = options;
  const problems = [...unsupported(options), ...(await localStates(stacks))];
  if (options.queueBy === undefined) return { problems };
  const made = unitsByQueue(request);
  if ("problems" in made || problems.length > 0) {
    return { problems: [...problems, ...("problems" in made ? made.problems : [])] };
  }
  const names = stacks.map(({ name }) => name);
  const labelsOf = (stack: string) => labels.get(stack) ?? {};
  const faults = waves ? waveFaults(waves, { stacks: names, app, labels: labelsOf }) : [];
  if (faults.length > 0) return { problems: faults };
  return {
    input: {
      runId: options.runId ?? newRunId(),
      operation,
      by: whoRuns(),
      startedAt: world.clock.now().toISOString(),
      ...(rollsBack !== undefined && { rollsBack }),
      queueBy: options.queueBy,
      basis,
      gate: {
        ...(failOn && { failOn }),
        ...(allowWeaker && { allowWeaker: [...allowWeaker] }),
        ...(allowUnknown && { allowUnknown }),
      },
      units: operation === "destroy" ? [...made.units].reverse() : made.units,
      ...(waves && { waves }),
      ...(maxFailures && { maxFailures }),
      ...(options.countExcluded && { countExcluded: true }),
      failureMode: options.failureMode ?? "strict",
      autoApprove: options.autoApprove === true,
      leaseMs: options.lease ?? DEFAULT_LEASE_MS,
    },
  };
}

/** Options whose files and values are those of one machine. */
function unsupported(options: RunOptions): readonly Diagnostic[] {
  const { engine, refresh } = options;
  const given = {
    "--engine": engine !== "embedded",
    "--refresh false": refresh === "false",
    "--refresh-only": options.refreshOnly,
    "--target": options.target,
    "--replace": options.replace,
    "--rollback": options.rollback,
    "--resume": options.resume,
    "--run-log": options.runLog,
    "--until-wave": options.untilWave,
    "--check": options.check,
    "--wait": options.wait,
    "--var or --var-file": options.variables,
    "--secrets-command": options.secretsCommand,
    "--same-console": options.sameConsole,
    "--fail-fast": options.failFast,
    "--strict": options.strict,
    "--live": options.live,
    "--out": options.out,
    "--parallelism": options.parallelism,
    "--lock-timeout": options.lockTimeout > 0,
    "--ignore-missing-stack-dependencies": options.ignoreMissingStackDependencies,
    "--destroy": options.destroy,
  };
  const names = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  const detail = `${names.join(", ")} cannot be used with --on temporal: values, files and checks are those of each worker.`;
  const problems = names.length > 0 ? [error("Unsupported by runs on Temporal", detail)] : [];
  if (options.queueBy !== undefined) return problems;
  const queues = "Name the label whose value is the queue of a stack, as --queue-by region.";
  return [...problems, error("--on temporal needs --queue-by", queues)];
}

/** States that only one machine has. */
async function localStates(stacks: readonly StackEntry[]): Promise<readonly Diagnostic[]> {
  const found = await Promise.all(
    stacks.map(async ({ name, file }) => {
      const read = await readJsonFile(file);
      if (read.kind !== "read") return [];
      const { backend, diagnostics } = backendConfig(terraformBlock(read.json));
      return !hasErrors(diagnostics) && backend?.type === "local" ? [name] : [];
    }),
  );
  const names = found.flat();
  if (names.length === 0) return [];
  const detail = `Any worker of a queue continues what another one has begun, so it must reach the state. Give these stacks a backend on a server: ${shortStackList(names)}.`;
  return [error("State is on one machine", detail)];
}

/** Stacks that depend on each other are planned and applied together, so they have one queue. */
function unitsByQueue({
  stacks,
  labels,
  options: { queueBy = "", waves = [] },
}: InputRequest): { readonly units: readonly InputUnit[] } | Refused {
  const queueOf = (stack: string) => new Map(Object.entries(labels.get(stack) ?? {})).get(queueBy);
  const names = stacks.map(({ name }) => name);
  const lost = names.filter((name) => (queueOf(name) ?? "") === "");
  if (lost.length > 0) {
    const detail = `These stacks have no label ${JSON.stringify(queueBy)}, which names their queue: ${shortStackList(lost)}.`;
    return { problems: [error("Stacks have no queue", detail)] };
  }
  const related = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { name, dependencies } of stacks) {
    for (const other of dependencies) {
      related.get(other)?.add(name);
      if (related.has(other)) related.get(name)?.add(other);
    }
  }
  const units = unitsOf(names, related);
  const apart = units.filter((unit) => new Set(unit.map(queueOf)).size > 1);
  if (apart.length > 0) {
    const detail = `Stacks that depend on each other are applied by one worker, but these have several queues: ${shortStackList(apart.flat())}.`;
    return { problems: [error("Dependent stacks have several queues", detail)] };
  }
  const keys = new Set(waves.flatMap(({ selector }) => selector?.key ?? []));
  return {
    units: units.map((unit) => ({
      queue: queueOf(unit[0] ?? "") ?? "",
      stacks: unit.map((name) => ({ name, ...selecting(labels.get(name) ?? {}, keys) })),
    })),
  };
}

/** The labels that the waves select by. */
function selecting(
  labels: StackLabels,
  keys: ReadonlySet<string>,
): { readonly labels?: StackLabels } {
  const used = Object.entries(labels).filter(([key]) => keys.has(key));
  return used.length === 0 ? {} : { labels: Object.fromEntries(used) };
}
