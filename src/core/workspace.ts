import { join, resolve } from "node:path";
import { replaceFile } from "./io/durable-file";
import { readTextFile } from "./io/read-file";
import type { Environment } from "./environment";
import { error, type Diagnostic } from "./diagnostics";

/** The workspace of a stack for which none is selected. */
export const DEFAULT_WORKSPACE = "default";

/** Returns the folder that keeps Terraform's own files of a stack. */
export function dataFolder(directory: string, { TF_DATA_DIR = "" }: Environment): string {
  return resolve(directory, TF_DATA_DIR === "" ? ".terraform" : TF_DATA_DIR);
}

/**
 * Returns the workspace that Terraform selects in the folder of a stack: that of TF_WORKSPACE, else
 * that of `terraform workspace select`. It need not exist. Undefined if its name is invalid.
 */
export async function selectedWorkspace(
  directory: string,
  environment: Environment,
): Promise<{ workspace?: string; diagnostics: readonly Diagnostic[] }> {
  const overriding = environment.TF_WORKSPACE ?? "";
  if (overriding !== "") return checked(overriding, "TF_WORKSPACE");
  const file = selectionFile(directory, environment);
  // Terraform selects the default workspace too if it cannot read the file.
  const selected = (await readTextFile(file).catch(() => "")).trim();
  return checked(selected === "" ? DEFAULT_WORKSPACE : selected, file);
}

/** Selects a workspace as `terraform workspace select` does. */
export async function selectWorkspace(
  directory: string,
  environment: Environment,
  workspace: string,
): Promise<void> {
  await replaceFile(selectionFile(directory, environment), Buffer.from(workspace), 0o644);
}

function selectionFile(directory: string, environment: Environment): string {
  return join(dataFolder(directory, environment), "environment");
}

export function isWorkspaceName(text: string): boolean {
  return VALID.test(text);
}

/** Names that are the same in a URL, but for those that are the name of another folder. */
const VALID = /^(?!\.{1,2}$)[\w.~$&+:=@-]+$/;

function checked(workspace: string, source: string) {
  if (isWorkspaceName(workspace)) return { workspace, diagnostics: [] };
  const detail = `${JSON.stringify(workspace)} is not a name of a workspace. A name may contain letters, digits and "-", "_", ".", "~", "$", "&", "+", ":", "=", "@".`;
  return { diagnostics: [error(`Invalid workspace name set using ${source}`, detail)] };
}
