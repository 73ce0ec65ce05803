import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { errorText, fileProblem } from "../../provider/file-problem";
import { UNKNOWN } from "../../provider/values";
import type { OutputConfig, ResourceConfig, StackConfig } from "../config/stack-config";
import {
  isObject,
  mark,
  unmark,
  type Evaluated,
  type EvaluatedObject,
} from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { readState } from "../state/read";
import { errorAt, locate } from "../config/located";
import type { Providers } from "./providers";
import { StackValues } from "./stack-values";
import { storedOutputs } from "./stored-outputs";

/** Where the outputs of another stack come from. */
export type RemoteState =
  /** From its plan: it is among the selected ones. */
  | { readonly kind: "selected"; readonly stack: string }
  /** From its state file. */
  | { readonly kind: "stored"; readonly outputs: EvaluatedObject }
  /** What is wrong has been told. */
  | { readonly kind: "unusable" };

/** The stacks that were synthesized, selected or not: name and state path. */
export interface KnownStack {
  readonly name: string;
  readonly statePath: string;
  readonly selected: boolean;
  readonly config: StackConfig;
}

/**
 * Finds out what each terraform_remote_state of a stack reads. Only the local backend is known, and
 * its path must follow from literals and variables.
 */
export async function resolveRemoteState(
  stack: StackConfig,
  block: ResourceConfig,
  variables: ReadonlyMap<string, Evaluated>,
  known: readonly KnownStack[],
  providers: Providers,
): Promise<{ remoteState: RemoteState; diagnostics: readonly Diagnostic[] }> {
  const scope = new StackValues(stack, variables, new Map());
  const backend = evaluate(block, "backend", scope);
  const config = evaluate(block, "config", scope);
  const diagnostics = [...backend.diagnostics, ...config.diagnostics];
  const unusable = (...problems: readonly Diagnostic[]) => ({
    remoteState: { kind: "unusable" } as const,
    diagnostics: [...diagnostics, ...problems],
  });
  if (hasErrors(diagnostics)) return unusable();
  if (backend.value !== "local") {
    return unusable(
      errorAt(
        block.where,
        "Backend not supported",
        `${block.address} reads a state from a backend other than "local", which this executor does not. Terraform can run the stack.`,
      ),
    );
  }
  const { value } = config;
  const path = isObject(value) ? unmark(value.path ?? null).value : null;
  if (typeof path !== "string") {
    return unusable(
      errorAt(
        block.where,
        "Path of a state not known",
        `The path in config of ${block.address} must be a string that is known before the plan: a literal, or made of variables.`,
      ),
    );
  }
  return readRemoteState(stack, block, resolve(stack.directory, path), known, providers);
}

async function readRemoteState(
  stack: StackConfig,
  block: ResourceConfig,
  path: string,
  known: readonly KnownStack[],
  providers: Providers,
): Promise<{ remoteState: RemoteState; diagnostics: readonly Diagnostic[] }> {
  const owner = known.find(({ name, statePath }) => statePath === path && name !== stack.name);
  if (owner?.selected) {
    return { remoteState: { kind: "selected", stack: owner.name }, diagnostics: [] };
  }
  const remoteState = { kind: "unusable" } as const;
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const detail =
      owner && fileProblem(cause)?.code === "ENOENT"
        ? `${block.address} reads the outputs of stack "${owner.name}", which has no state yet. Select it too, or apply it first.`
        : `${block.address} reads the outputs in a state file that cannot be read. ${path}: ${errorText(cause)}.`;
    return { remoteState, diagnostics: [errorAt(block.where, "No state to read from", detail)] };
  }
  const { state, diagnostics } = readState(bytes, path);
  return {
    remoteState: state
      ? { kind: "stored", outputs: storedOutputs(state, owner?.config, providers) }
      : remoteState,
    diagnostics: locate(diagnostics, block.where),
  };
}

/** The whole object of a terraform_remote_state, around the outputs that were found. */
export function remoteStateObject(
  block: ResourceConfig,
  scope: Scope,
  outputs: Evaluated,
): { value: Evaluated; diagnostics: readonly Diagnostic[] } {
  const backend = evaluate(block, "backend", scope);
  const config = evaluate(block, "config", scope);
  const defaults = evaluate(block, "defaults", scope);
  return {
    value: {
      backend: backend.value,
      config: config.value,
      defaults: defaults.value,
      workspace: evaluate(block, "workspace", scope).value,
      outputs:
        isObject(defaults.value) && isObject(outputs) ? { ...defaults.value, ...outputs } : outputs,
    },
    diagnostics: [backend, config, defaults].flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The declared outputs before any of them is known. */
export function declaredOutputs(outputs: ReadonlyMap<string, OutputConfig>): EvaluatedObject {
  return Object.fromEntries(
    [...outputs].map(([name, { sensitive }]) => [name, mark(UNKNOWN, { sensitive })]),
  );
}

function evaluate(block: ResourceConfig, name: string, scope: Scope) {
  return block.body.get(name)?.evaluate(scope) ?? { value: null, diagnostics: [] };
}
