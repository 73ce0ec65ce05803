import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isUnused, type State } from "../../core/documents/state";
import { planIdentity } from "../../core/documents/stack-plan";
import { selectedWorkspace } from "../../core/workspace";
import { readState } from "../../formats/state-file/read";
import { formatState } from "../../formats/state-file/write";
import type { BackendStatus, Lock, StateSnapshot } from "../../backends";
import { readConfiguration } from "../../language";
import type { EngineFolder } from "../terraform/engine-folder";
import { documentIn } from "../terraform/messages";
import type { StoredStack, StoredState } from "./stored-stack";

/** Opens the state of a stack that Terraform or OpenTofu reads and writes. Starts nothing. */
export async function openEngineState(
  folder: EngineFolder,
  environment: Environment,
): Promise<{ readonly stack?: StoredStack; readonly diagnostics: readonly Diagnostic[] }> {
  const { entry } = folder;
  const read = await readConfiguration(entry);
  if ("problem" in read) return { diagnostics: [read.problem] };
  const { workspace, ...selecting } = await selectedWorkspace(entry.directory, environment);
  if (workspace === undefined) return selecting;
  const identity = planIdentity({ ...entry, workspace });
  const backend = new EngineState(folder);
  return { stack: { ...identity, backend, configuration: read.json }, diagnostics: [] };
}

/** The state of a stack in any backend of Terraform or OpenTofu, which may be encrypted. */
class EngineState implements StoredState {
  private found: State | undefined;

  constructor(private readonly folder: EngineFolder) {}

  get location(): string {
    return `the state of stack "${this.folder.entry.name}"`;
  }

  /** The program itself locks a write, and refuses it if the state has changed since it was read. */
  lock(): Promise<{ lock: Lock; diagnostics: readonly Diagnostic[] }> {
    const lock = { id: "", release: () => Promise.resolve([]) };
    return Promise.resolve({ lock, diagnostics: [] });
  }

  /** The program shows neither the time of the last write nor the lock. */
  status(): Promise<BackendStatus> {
    return Promise.resolve({});
  }

  holder(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async forceUnlock(id: string): Promise<readonly Diagnostic[]> {
    return (
      await this.folder.output(["force-unlock", "-no-color", "-force", id], { purpose: "read" })
    ).diagnostics;
  }

  async read(): Promise<StateSnapshot> {
    const { out = "", diagnostics } = await this.folder.output(["state", "pull", "-no-color"], {
      purpose: "read",
    });
    const text = documentIn(out).trim();
    if (text === "") return { state: undefined, interrupted: [], diagnostics };
    const { state: read, ...reading } = readState(Buffer.from(text), this.location);
    // Some backends have an empty state in place of none.
    const state = read && isUnused(read) ? undefined : read;
    this.found = state;
    return { state, interrupted: [], diagnostics: [...diagnostics, ...reading.diagnostics] };
  }

  async write(state: State): Promise<{ state?: State; diagnostics: readonly Diagnostic[] }> {
    const { lineage, serial } = this.found ?? { ...state, serial: state.serial - 1 };
    const next = { ...state, lineage, serial: serial + 1 };
    const { diagnostics } = await this.folder.output(["state", "push", "-no-color", "-"], {
      purpose: "write",
      input: formatState(next),
    });
    return { ...(!hasErrors(diagnostics) && { state: next }), diagnostics };
  }
}
