import type { Environment } from "../../core/environment";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { mark, unmarkRoot } from "../../core/marks";
import { isObjectValue, UNKNOWN, type Evaluated, type EvaluatedObject } from "../../core/values";
import {
  backendOf,
  convert,
  errorAt,
  localStatePath,
  locate,
  type OutputConfig,
  type ResourceConfig,
  type EvaluationScope,
  type StackConfig,
  stateIdentity,
  type ExpressionPosition,
} from "../../language";
import { DEFAULT_WORKSPACE } from "../../core/workspace";
import { didYouMean } from "../../core/suggest";
import { STRING } from "../../core/types";
import { formatAddress } from "../../core/documents/address";
import type { Backend } from "../../backends";
import { lazyLocals } from "./lazy-locals";
import type { Providers } from "./providers";
import { notKnown, selectBackend, type Arguments } from "./remote-backend";
import { combine, repeat, type Repeated } from "./repetition";
import { StackValues, within } from "./stack-values";
import { storedOutputs } from "./stored-outputs";

/** The source of the outputs of another stack. */
export type RemoteState =
  /** The plan of a selected stack. */
  | { readonly kind: "selected"; readonly stack: string }
  /** A state file. */
  | { readonly kind: "stored"; readonly outputs: EvaluatedObject }
  /** A state that is missing or cannot be read: an error of this stack alone. */
  | { readonly kind: "unreadable"; readonly reasons: readonly Diagnostic[] }
  /** An error of the configuration. */
  | { readonly kind: "unusable" };

/** An instance of a terraform_remote_state. */
export interface RemoteInstance extends Repeated {
  readonly source: RemoteState;
}

/** A synthesized stack, selected or not. */
export interface KnownStack {
  readonly name: string;
  /** See `stateIdentity`. */
  readonly identity: string | undefined;
  readonly selected: boolean;
  readonly config: StackConfig;
}

/** The stack that reads a state, and all that the source may depend on. */
export interface RemoteReader {
  readonly stack: StackConfig;
  readonly variables: ReadonlyMap<string, Evaluated>;
  readonly known: readonly KnownStack[];
  readonly providers: Providers;
  readonly environment: Environment;
}

/**
 * Finds the sources of a terraform_remote_state. The arguments must be known before anything is
 * read: literals, variables, and locals of these.
 */
export async function resolveRemoteState(
  block: ResourceConfig,
  reader: RemoteReader,
): Promise<{ instances: readonly RemoteInstance[]; diagnostics: readonly Diagnostic[] }> {
  const faults = checkArguments(block);
  if (faults.length > 0) return { instances: [], diagnostics: faults };
  const scope = staticScope(reader);
  const { instances: repeated, diagnostics: found } = repeat(block, scope);
  const diagnostics = [...found];
  if (!repeated && !hasErrors(found)) {
    diagnostics.push(notKnown(block.where, block.count ? "count" : "for_each"));
  }
  const instances: RemoteInstance[] = [];
  for (const one of repeated ?? []) {
    const where = { ...block.where, address: formatAddress({ ...block, key: one.key }) };
    const inside = within(scope, one.surroundings);
    const resolved = await resolveInstance(block, where, inside, reader);
    instances.push({ ...one, source: resolved.source });
    diagnostics.push(...resolved.diagnostics);
  }
  return { instances, diagnostics };
}

/** Returns why states cannot be read. */
export function unreadReasons(instances: readonly RemoteInstance[]): readonly Diagnostic[] {
  return instances.flatMap(({ source }) => (source.kind === "unreadable" ? source.reasons : []));
}

/** Returns the values that are known before a stack is walked. */
function staticScope({ stack, variables, providers }: RemoteReader): EvaluationScope {
  const values = new StackValues(stack, variables, providers);
  const scope: EvaluationScope = { ...within(values, {}), local: lazyLocals(stack, () => scope) };
  return scope;
}

const ARGUMENTS = ["backend", "config", "defaults", "workspace"] as const;

function checkArguments({ body, where }: ResourceConfig): readonly Diagnostic[] {
  // Terraform accepts the computed attribute and ignores its value.
  const names: readonly string[] = [...ARGUMENTS, "outputs"];
  const unexpected = [...body.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => {
      const detail = `An argument named ${JSON.stringify(name)} is not expected here.${didYouMean(name, names)}`;
      return errorAt(where, "Unsupported argument", detail, [name]);
    });
  if (body.has("backend")) return unexpected;
  const detail = 'The argument "backend" is required, but no definition was found.';
  return [...unexpected, errorAt(where, "Missing required argument", detail)];
}

function evaluateArguments(
  { body, where }: ResourceConfig,
  scope: EvaluationScope,
): { values: Arguments; diagnostics: readonly Diagnostic[] } {
  const evaluate = (name: keyof Arguments) =>
    body.get(name)?.evaluate(scope) ?? { value: null, diagnostics: [] };
  const [backend, config, defaults, workspace] = [
    evaluate("backend"),
    evaluate("config"),
    evaluate("defaults"),
    evaluate("workspace"),
  ];
  const text = convert(workspace.value, STRING);
  const problems = text.problems.map(({ message }) => {
    const detail = `Inappropriate value for attribute "workspace": ${message}.`;
    return errorAt(where, "Incorrect attribute value type", detail, ["workspace"]);
  });
  return {
    values: {
      backend: backend.value,
      config: config.value,
      defaults: defaults.value,
      workspace: text.value,
    },
    diagnostics: [backend, config, defaults, workspace, { diagnostics: problems }].flatMap((one) =>
      locate(one.diagnostics, where),
    ),
  };
}

async function resolveInstance(
  block: ResourceConfig,
  where: ExpressionPosition,
  scope: EvaluationScope,
  reader: RemoteReader,
): Promise<{ source: RemoteState; diagnostics: readonly Diagnostic[] }> {
  const place = placeOf(block, where, scope, reader);
  return "backend" in place
    ? readRemoteState(where, place.backend, place.identity, reader)
    : { source: { kind: "unusable" }, diagnostics: place.diagnostics };
}

/** Finds the state that an instance reads. */
function placeOf(
  block: ResourceConfig,
  where: ExpressionPosition,
  scope: EvaluationScope,
  { stack, environment }: RemoteReader,
): { backend: Backend; identity: string | undefined } | { diagnostics: readonly Diagnostic[] } {
  const { values, diagnostics } = evaluateArguments(block, scope);
  if (hasErrors(diagnostics)) return { diagnostics };
  const selected = selectBackend(values, where);
  if ("summary" in selected) return { diagnostics: [...diagnostics, selected] };
  const location = { directory: stack.directory, workspace: selected.workspace, environment };
  const opened = backendOf(selected.backend, location);
  if (!opened.backend)
    return { diagnostics: [...diagnostics, ...locate(opened.diagnostics, where)] };
  return { backend: opened.backend, identity: stateIdentity(selected.backend, location) };
}

/** Returns the identities of the states that a terraform_remote_state reads. Reads none of them. */
export function statesRead(block: ResourceConfig, reader: RemoteReader): readonly string[] {
  const scope = staticScope(reader);
  return (repeat(block, scope).instances ?? []).flatMap(({ surroundings }) => {
    const place = placeOf(block, block.where, within(scope, surroundings), reader);
    return "backend" in place ? (place.identity ?? []) : [];
  });
}

async function readRemoteState(
  where: ExpressionPosition,
  backend: Backend,
  identity: string | undefined,
  { stack, known, providers }: RemoteReader,
): Promise<{ source: RemoteState; diagnostics: readonly Diagnostic[] }> {
  const owner = known.find((one) => one.identity === identity && one.name !== stack.name);
  if (owner?.selected) {
    return { source: { kind: "selected", stack: owner.name }, diagnostics: [] };
  }
  const failed = (...diagnostics: readonly Diagnostic[]) => ({
    source: { kind: "unreadable", reasons: locate(diagnostics, where) } as const,
    diagnostics: [],
  });
  const { state, diagnostics } = await backend.read();
  if (hasErrors(diagnostics)) return failed(...diagnostics);
  if (!state) {
    const detail =
      missingState(where, backend.location, owner, known) ??
      `${where.address} reads the outputs in a state that does not exist: ${backend.location}.`;
    return failed(error("No state to read from", detail));
  }
  const outputs = storedOutputs(state, owner?.config, providers);
  return { source: { kind: "stored", outputs }, diagnostics: locate(diagnostics, where) };
}

/** Explains why a stack has no state; undefined if the path is that of none. */
function missingState(
  { address }: ExpressionPosition,
  path: string,
  owner: KnownStack | undefined,
  known: readonly KnownStack[],
): string | undefined {
  if (owner) {
    return `${address} reads the outputs of stack "${owner.name}", which has no state yet. Select it too, or apply it first.`;
  }
  const elsewhere = known.find(
    ({ config: { backend, directory } }) =>
      backend.type === "local" && localStatePath(backend, directory, DEFAULT_WORKSPACE) === path,
  );
  return (
    elsewhere &&
    `${address} reads the state of stack "${elsewhere.name}" in the workspace "${DEFAULT_WORKSPACE}", which does not exist. The workspace "${elsewhere.config.workspace}" is selected: set "workspace" of the data source and "workspace_dir" in its config, or apply the stack in the workspace "${DEFAULT_WORKSPACE}".`
  );
}

/**
 * Builds the value of a terraform_remote_state.
 *
 * @param outputsOf Returns the outputs of a source, UNKNOWN after an error.
 */
export function remoteStateValue(
  block: ResourceConfig,
  instances: readonly RemoteInstance[],
  scope: EvaluationScope,
  outputsOf: (source: RemoteState) => Evaluated,
): { value: Evaluated; diagnostics: readonly Diagnostic[] } {
  const objects = instances.map(({ key, surroundings, source }) => {
    const { values, diagnostics } = evaluateArguments(block, within(scope, surroundings));
    const outputs = withDefaults(outputsOf(source), values.defaults);
    const value: EvaluatedObject = { ...values, outputs };
    return { key, value, diagnostics };
  });
  return {
    value: combine(
      block,
      objects.map(({ key, value }) => [key, value]),
    ),
    diagnostics: objects.flatMap(({ diagnostics }) => diagnostics),
  };
}

function withDefaults(outputs: Evaluated, given: Evaluated): Evaluated {
  const { value: defaults, marks } = unmarkRoot(given);
  if (defaults === UNKNOWN || !isObjectValue(outputs)) return mark(UNKNOWN, marks);
  return isObjectValue(defaults) ? mark({ ...defaults, ...outputs }, marks) : outputs;
}

/** Returns the declared outputs with unknown values. */
export function declaredOutputs(outputs: ReadonlyMap<string, OutputConfig>): EvaluatedObject {
  return Object.fromEntries([...outputs.keys()].map((name) => [name, UNKNOWN]));
}
