import { dirname, join } from "node:path";
import { z } from "zod";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { State } from "../../core/documents/state";
import type { Environment } from "../../core/environment";
import { makeFolder } from "../../core/io/make-folder";
import { world } from "../../core/io/world";
import { readTextFile } from "../../core/io/read-file";
import { writeFileNow } from "../../core/io/write-file";
import { printed } from "../../core/printed";
import { dataFolder, DEFAULT_WORKSPACE } from "../../core/workspace";
import { type Advice, type Backend, plainAdvice } from "../../backends";
import type { BackendConfig } from "./backend-block";
import { azurermRecord } from "./azurerm-backend";
import { gcsRecord } from "./gcs-backend";
import { httpRecord } from "./http-backend";
import { backendConfig, backendOf, localStatePath, stateIdentity } from "./open-backend";
import { pgRecord } from "./pg-backend";
import { s3Record } from "./s3-backend";

/** A stack and the backend that it has now. */
export interface PlacedStack {
  readonly name: string;
  readonly directory: string;
  readonly workspace: string;
  readonly backend: BackendConfig;
}

/** A backend that a stack used, and the file that names it. */
export interface EarlierBackend {
  readonly backend: Backend;
  readonly file: string;
}

/** In Terraform's folder of the stack. */
const RECORD = "cdktf-console.backend.json";

const record = z.object({
  stack: z.string(),
  workspace: z.string(),
  backend: z.record(z.string(), z.looseObject({})),
});

/**
 * Records the backend of a stack, without credentials, so that a later run notices another one. A
 * folder that cannot be written has no record, and a backend that has none removes that of another.
 */
export async function recordBackend(stack: PlacedStack, environment: Environment): Promise<void> {
  const { name, directory, workspace, backend } = stack;
  const file = join(dataFolder(directory, environment), RECORD);
  const block = blockOf(stack, environment);
  if (!block) {
    await world.files.rm(file, { force: true }).catch(() => undefined);
    return;
  }
  const text = JSON.stringify({ stack: name, workspace, backend: { [backend.type]: block } });
  if ((await readTextFile(file).catch(() => undefined)) === text) return;
  try {
    makeFolder(dirname(file));
    writeFileNow(file, text, "replace");
  } catch {
    // The next run has no earlier backend to compare with.
  }
}

/** The type of a stack's backend and its block, without credentials. */
export type BackendDescription = Readonly<Record<string, string | boolean | number>>;

export function describeBackend(stack: PlacedStack, environment: Environment): BackendDescription {
  const { type } = stack.backend;
  const given = Object.entries({ ...blockOf(stack, environment), type });
  return Object.fromEntries(
    given.flatMap(([name, value]) => {
      if (value == null) return [];
      return [[name, typeof value === "object" ? JSON.stringify(value) : value]];
    }),
  );
}

/** The block that finds the state again. */
function blockOf({ backend, directory, workspace }: PlacedStack, environment: Environment) {
  switch (backend.type) {
    case "local":
      return { path: localStatePath(backend, directory, workspace) };
    case "http":
      return httpRecord(backend, environment, workspace);
    case "pg":
      return pgRecord(backend, environment);
    case "other":
      return undefined;
    case "azurerm":
      return azurermRecord(backend, environment);
    case "gcs":
      return gcsRecord(backend, environment);
    case "s3":
      return s3Record(backend, environment);
  }
}

/** Returns the backends other than its present one that a stack used last, with either engine. */
export async function earlierBackends(
  stack: PlacedStack,
  environment: Environment,
  workingDirectory?: string,
): Promise<readonly EarlierBackend[]> {
  const { directory, workspace } = stack;
  const location = { directory, workspace, environment, workingDirectory };
  const present = stateIdentity(stack.backend, location);
  const found = new Map<string, EarlierBackend>();
  for (const used of await recorded(stack, environment)) {
    const { backend: config } = backendConfig({ backend: used.block });
    const at = { ...location, workspace: used.workspace };
    const identity = config && stateIdentity(config, at);
    if (!config || identity === undefined || identity === present || found.has(identity)) continue;
    const { backend } = backendOf(config, at);
    if (backend) found.set(identity, { backend, file: used.file });
  }
  return [...found.values()];
}

/** The shape of Terraform's own record. */
const terraformRecord = z.object({
  backend: z.object({ type: z.string(), config: z.record(z.string(), z.unknown()) }),
});

/** The members of a recorded block that have a value. */
async function terraformBackend(directory: string, environment: Environment) {
  const file = join(dataFolder(directory, environment), "terraform.tfstate");
  const used = terraformRecord.safeParse(await jsonIn(file)).data?.backend;
  const given = Object.entries(used?.config ?? {}).filter(([, value]) => value !== null);
  return used && { file, block: { [used.type]: Object.fromEntries(given) } };
}

/**
 * Reports whether Terraform may forget the backend that it has recorded, as `init -reconfigure` does:
 * it is the present one, as another program has recorded it, or the state was moved from it.
 */
export async function mayForgetBackend(
  stack: PlacedStack,
  state: State | undefined,
  environment: Environment,
): Promise<boolean> {
  const used = await terraformBackend(stack.directory, environment);
  if (!used) return false;
  if (state && state.resources.length > 0) return true;
  const { backend } = backendConfig({ backend: used.block });
  const location = { ...stack, environment };
  return (
    backend !== undefined &&
    stateIdentity(backend, location) === stateIdentity(stack.backend, location)
  );
}

/** Reads the own record and Terraform's. */
async function recorded(
  { name, directory, workspace }: PlacedStack,
  environment: Environment,
): Promise<readonly { block: object; workspace: string; file: string }[]> {
  const file = join(dataFolder(directory, environment), RECORD);
  const own = record.safeParse(await jsonIn(file)).data;
  const used = await terraformBackend(directory, environment);
  // The path of a record is that of its workspace.
  const ofOwn = own?.backend.local ? DEFAULT_WORKSPACE : workspace;
  const isOurs = own?.stack === name && own.workspace === workspace;
  return [
    ...(isOurs ? [{ block: own.backend, workspace: ofOwn, file }] : []),
    ...(used ? [{ ...used, workspace }] : []),
  ];
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readTextFile(file));
  } catch {
    return undefined;
  }
}

/** The state of a stack and its place, to be displayed. */
export interface PresentState {
  readonly location: string;
  readonly state: State | undefined;
}

/**
 * Returns an error if the state of a stack has no objects, while that in the backend that it used
 * last has some: a run would create them again. A state that is newer than that one is right.
 */
export async function stateLeftBehind(
  stack: PlacedStack,
  { state, location }: PresentState,
  environment: Environment,
  advice: Advice = plainAdvice,
): Promise<readonly Diagnostic[]> {
  if (state && state.resources.length > 0) return [];
  for (const earlier of await earlierBackends(stack, environment)) {
    const { state: left, diagnostics } = await earlier.backend.read();
    if (!hasErrors(diagnostics)) {
      const isOlder =
        left?.lineage === state?.lineage && left && state && left.serial <= state.serial;
      if (!left || left.resources.length === 0 || isOlder) continue;
    }
    const what = left
      ? `has ${left.resources.length === 1 ? "one resource" : `${left.resources.length} resources`}`
      : "cannot be read now";
    const command = advice("state migrate");
    const source =
      stack.backend.type === "other"
        ? ' FILE has what "state pull" prints with the earlier backend.'
        : "";
    const detail = printed`The state of stack "${stack.name}" in ${location} has no resources, but the stack used another backend last, and the state there, ${earlier.backend.location}, ${what}. A run would create its resources again.\n\nTo move the state, run "${command}".${source} If the earlier state is not needed any more, delete ${earlier.file}.`;
    return [...diagnostics, error("Backend configuration changed", detail)];
  }
  return [];
}
