import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { version } from "../../../package.json";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { formatSavedPlan, readSavedPlan, type SavedPlan, type Session } from "../../runtime";
import { replaceFile } from "../../runtime/backends/durable-file";
import type { Providers } from "../../runtime/evaluation/providers";
import type { Terminal } from "../terminal/terminal";

/** The one name, if it is the name of a file: apply then takes it for a saved plan. */
export async function onlyFile(
  { directory }: Terminal,
  names: readonly string[],
): Promise<string | undefined> {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return undefined;
  return stat(resolve(directory, name)).then(
    (entry) => (entry.isFile() ? name : undefined),
    () => undefined,
  );
}

/** The error for a plan of several stacks that is to be saved in one file. */
export function severalPlans(stacks: readonly string[]): Diagnostic {
  const detail = `A plan file holds the plan of one stack. This plan has several: ${stacks.join(", ")}. Name one of them.`;
  return error("Several stacks for one plan file", detail);
}

/** Saves the session's only plan in a file that only this user can read. */
export async function writePlanFile(
  { directory }: Terminal,
  name: string,
  session: Session,
): Promise<readonly Diagnostic[]> {
  if (session.plans.length !== 1) return [severalPlans(session.plans.map(({ stack }) => stack))];
  const saved = await session.save();
  const bytes = formatSavedPlan(saved, { workingDirectory: directory, program: version });
  try {
    await replaceFile(resolve(directory, name), bytes);
    return [];
  } catch (cause) {
    return [error("Plan file cannot be written", `${name}: ${errorText(cause)}.`)];
  }
}

/** Reads a plan file. Without a plan, the diagnostics have the cause. */
export async function readPlanFile(
  { directory }: Terminal,
  name: string,
  providers: Providers,
): Promise<{ saved?: SavedPlan; diagnostics: readonly Diagnostic[] }> {
  try {
    const bytes = await readFile(resolve(directory, name));
    return await readSavedPlan(bytes, name, providers, directory);
  } catch (cause) {
    return { diagnostics: [error("Plan file cannot be read", `${name}: ${errorText(cause)}.`)] };
  }
}
