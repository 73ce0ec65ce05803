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

/** The source of the outputs of another stack. */
export type RemoteState =
  /** The plan of a selected stack. */
  | { readonly kind: "selected"; readonly stack: string }
  /** A state file. */
  | { readonly kind: "stored"; readonly outputs: EvaluatedObject }
  /** An error has been reported. */
  | { readonly kind: "unusable" };

/** A synthesized stack, selected or not. */
export interface KnownStack {
  readonly name: string;
  readonly statePath: string;
  readonly selected: boolean;
  readonly config: StackConfig;
}

/**
 * Finds the source of a terraform_remote_state. Only the local backend is supported; its path must
 * consist of literals and variables.
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
        `${block.address} reads a state from another backend than "local", which this executor does not support. Terraform can run the stack.`,
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

/** Builds the object of a terraform_remote_state from its block and the outputs. */
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

/** Returns the declared outputs with unknown values. */
export function declaredOutputs(outputs: ReadonlyMap<string, OutputConfig>): EvaluatedObject {
  return Object.fromEntries(
    [...outputs].map(([name, { sensitive }]) => [name, mark(UNKNOWN, { sensitive })]),
  );
}

function evaluate(block: ResourceConfig, name: string, scope: Scope) {
  return block.body.get(name)?.evaluate(scope) ?? { value: null, diagnostics: [] };
}
