import { dirname, resolve } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { emptyState } from "../../core/documents/state";
import { fileProblem } from "../../core/io/file-problem";
import { makeFolder } from "../../core/io/make-folder";
import { world } from "../../core/io/world";
import { compareStrings } from "../../core/values";
import { DEFAULT_WORKSPACE, isWorkspaceName } from "../../core/workspace";
import { type Backend, LocalBackend, RemoteBackend } from "../../backends";
import type { BackendConfig, LocalBackendConfig, ServerBackendConfig } from "./backend-block";
import { localStatePath, storeOf, WORKSPACE_DIR, type StackLocation } from "./open-backend";

/** The workspaces in the backend of a stack, in the layout of Terraform. */
export interface Workspaces {
  /** To be displayed. */
  readonly location: string;
  /** Returns the names, that of the default workspace first. */
  list(): Promise<readonly string[]>;
  create(name: string): Promise<readonly Diagnostic[]>;
  open(name: string): {
    readonly backend: Backend;
    /** Removes the workspace with its state, under the lock of the backend. */
    readonly remove: () => Promise<void>;
  };
}

type Place = Omit<StackLocation, "workspace">;

/** Returns the workspaces of a stack; without them, the diagnostics have the reason. */
export function workspacesOf(
  backend: BackendConfig,
  place: Place,
): { readonly workspaces?: Workspaces; readonly diagnostics: readonly Diagnostic[] } {
  if (backend.type === "other") return { diagnostics: [backend.refusal] };
  if (backend.type === "local") {
    return { workspaces: localWorkspaces(backend, place), diagnostics: [] };
  }
  const { store, diagnostics } = storeOf(backend, { ...place, workspace: DEFAULT_WORKSPACE });
  if (!store) return { diagnostics };
  if (!store.workspaces) return { diagnostics: [...diagnostics, onlyDefault(backend.type)] };
  const { location } = store;
  const names = () => store.workspaces?.() ?? Promise.resolve([]);
  return { workspaces: serverWorkspaces(backend, place, location, names), diagnostics };
}

/** Each workspace but the default is a folder, which has a state after the first apply. */
function localWorkspaces(backend: LocalBackendConfig, place: Place): Workspaces {
  const { directory, workingDirectory, advice } = place;
  const location = resolve(directory, backend.workspaceDir ?? WORKSPACE_DIR);
  const pathOf = (name: string) => localStatePath(backend, directory, name);
  return {
    location,
    list: async () => {
      const entries = await world.files
        .readdir(location, { withFileTypes: true })
        .catch((cause: unknown) => {
          if (fileProblem(cause)?.code === "ENOENT") return [];
          throw cause;
        });
      return sorted(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name));
    },
    create: (name) => {
      makeFolder(dirname(pathOf(name)));
      return Promise.resolve([]);
    },
    open: (name) => ({
      backend: new LocalBackend(pathOf(name), workingDirectory, advice),
      remove: () => world.files.rm(dirname(pathOf(name)), { recursive: true, force: true }),
    }),
  };
}

/** A workspace is what has a state, which is empty before the first apply. */
function serverWorkspaces(
  backend: ServerBackendConfig,
  place: Place,
  location: string,
  names: () => Promise<readonly string[]>,
): Workspaces {
  const open = (workspace: string) => {
    const { store } = storeOf(backend, { ...place, workspace });
    if (!store) throw new Error("the backend has no store for another workspace");
    const { workingDirectory, advice } = place;
    return { store, backend: new RemoteBackend(store, workingDirectory, advice) };
  };
  return {
    location,
    list: async () => sorted((await names()).filter(isWorkspaceName)),
    create: async (name) => {
      const { backend } = open(name);
      const { lock, diagnostics } = await backend.lock({ operation: "workspace new" });
      if (!lock) return diagnostics;
      const { state, diagnostics: found } = await backend.read();
      const isThere = state !== undefined || hasErrors(found);
      const written = isThere ? found : await backend.copy(emptyState(world.random.uuid()));
      return [...diagnostics, ...written, ...(await lock.release())];
    },
    open: (name) => {
      const { store, backend } = open(name);
      // Reads it, because a store removes only what it has read.
      const remove = async () => {
        await store.get();
        await store.delete();
      };
      return { backend, remove };
    },
  };
}

function sorted(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => name !== DEFAULT_WORKSPACE);
  return [DEFAULT_WORKSPACE, ...[...new Set(others)].sort(compareStrings)];
}

function onlyDefault(type: string): Diagnostic {
  return error(
    "Backend without workspaces",
    `The "${type}" backend has only the workspace "${DEFAULT_WORKSPACE}". Use an address for each environment.`,
  );
}
