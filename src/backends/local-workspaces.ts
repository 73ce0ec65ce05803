import { join } from "node:path";
import { fileProblem } from "../core/io/file-problem";
import { makeFolder } from "../core/io/make-folder";
import { world } from "../core/io/world";
import { compareStrings } from "../core/values";
import { DEFAULT_WORKSPACE } from "../core/workspace";

/**
 * The workspaces of a local backend, in Terraform's layout: each one but the default is a folder,
 * which has a state after the first apply.
 */
export class LocalWorkspaces {
  /** @param folder The absolute path of the backend's `workspace_dir`. */
  constructor(readonly folder: string) {}

  /** Returns the names, that of the default workspace first. */
  async list(): Promise<readonly string[]> {
    const entries = await world.files
      .readdir(this.folder, { withFileTypes: true })
      .catch((cause: unknown) => {
        if (fileProblem(cause)?.code === "ENOENT") return [];
        throw cause;
      });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return [DEFAULT_WORKSPACE, ...names.sort(compareStrings)];
  }

  create(name: string): void {
    makeFolder(join(this.folder, name));
  }

  /** Removes a workspace with its state, and the backups and journals of that. */
  async remove(name: string): Promise<void> {
    await world.files.rm(join(this.folder, name), { recursive: true, force: true });
  }
}
