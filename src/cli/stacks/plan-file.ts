import { resolve } from "node:path";
import { readFile } from "../../core/io/read-file";
import { version } from "../../../package.json";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import type { Providers, SavedPlans, Session } from "../../runtime";
import { replaceNamedFile } from "../../core/io/durable-file";
import { world } from "../../core/io/world";
import type { Terminal } from "../terminal/terminal";

/** Reports whether a name is rather that of a file than of a stack. */
export function looksLikeFile(name: string): boolean {
  return /[/\\]|\.(?:\w*plan|bin|jso?n|ya?ml|ts|tf|tfstate|zip)$/.test(name) && !name.includes("*");
}

/** The one name, if it is the name of a file: apply then takes it for a saved plan. */
export async function onlyFile(
  { directory }: Terminal,
  names: readonly string[],
): Promise<string | undefined> {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return undefined;
  return world.files.stat(resolve(directory, name)).then(
    (entry) => (entry.isFile() ? name : undefined),
    () => undefined,
  );
}

/** Saves the session's plans in a file that only this user can read. */
export async function writePlanFile(
  { directory }: Terminal,
  name: string,
  session: Session,
): Promise<readonly Diagnostic[]> {
  const saved = await session.save();
  const { formatSavedPlans } = await import("../../runtime/saved-plan/format.js");
  const bytes = formatSavedPlans(saved, { workingDirectory: directory, program: version });
  const path = resolve(directory, name);
  try {
    await replaceNamedFile(path, bytes);
    return [];
  } catch (cause) {
    return [error("Plan file cannot be written", `${name}: ${fileFault(cause, path)}`)];
  }
}

/** Reads a plan file. Without plans, the diagnostics have the cause. */
export async function readPlanFile(
  { directory }: Terminal,
  name: string,
  providers: Providers,
): Promise<{ saved?: SavedPlans; diagnostics: readonly Diagnostic[] }> {
  const path = resolve(directory, name);
  try {
    const bytes = await readFile(path);
    const { readSavedPlans } = await import("../../runtime/saved-plan/format.js");
    return await readSavedPlans(bytes, name, providers, directory);
  } catch (cause) {
    return {
      diagnostics: [error("Plan file cannot be read", `${name}: ${fileFault(cause, path)}`)],
    };
  }
}
