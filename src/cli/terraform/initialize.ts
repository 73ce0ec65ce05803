import { hideSecrets } from "../../core/io/secrets-in-use";
import { block, joined, printed } from "../../core/printed";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../core/io/read-file";
import { writeFileNow } from "../../core/io/write-file";
import { z } from "zod";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { DEFAULT_WORKSPACE, dataFolder } from "../../core/workspace";
import type { StackEntry } from "../../language";
import type { Terminal } from "../terminal/terminal";
import type { Program } from "../stacks/engines";
import { initializationAdvice } from "./initialization-advice";
import { says } from "./phrases";
import { runProgram } from "./process";

interface Initialization {
  readonly terminal: Terminal;
  readonly program: Program;
  readonly version: string;
  readonly stack: StackEntry;
  readonly configuration: unknown;
  readonly environment: Environment;
  /** The recorded backend is another one, whose state is not needed. */
  readonly replacesBackend: boolean;
}

/**
 * Runs `init` in the folder of a stack, unless that was done for the same configuration. Returns an
 * error if it fails.
 */
export async function initialize(request: Initialization): Promise<readonly Diagnostic[]> {
  const { terminal, program, stack, environment } = request;
  const { directory } = stack;
  const dataDir = dataFolder(directory, environment);
  const stamp = join(dataDir, STAMP);
  const basis = basisOf(request);
  if ((await readTextFile(stamp).catch(() => undefined)) === basis) return [];
  const init = async (flags: readonly string[], given = environment) => {
    const args = ["init", "-input=false", "-no-color", ...flags];
    const ended = await runProgram(terminal, program, args, { directory, environment: given });
    if (ended.kind === "missing") return "";
    return ended.code === 0 ? undefined : hideSecrets(`${ended.out}${ended.err}`);
  };
  let flags = findsOwnWorkspaces(request, dataDir) ? ["-migrate-state", "-force-copy"] : [];
  let problem = await init(flags);
  if (request.replacesBackend && says(problem, "backendChanged")) {
    flags = ["-reconfigure"];
    problem = await init(flags);
  }
  // A workspace need not exist: the first write creates it.
  if (says(problem, "workspaceMissing")) {
    problem = await init(flags, { ...environment, TF_WORKSPACE: DEFAULT_WORKSPACE });
  }
  if (problem !== undefined) return [initializationFailed(program, stack, problem)];
  try {
    writeFileNow(stamp, basis);
  } catch {
    // Without it the next run initializes again.
  }
  return [];
}

/**
 * True if Terraform has not recorded the local backend, and the executor has written workspaces of
 * it. They are also the workspaces of a folder without a backend, from which Terraform offers to copy
 * them: to where they are.
 */
function findsOwnWorkspaces({ configuration, stack }: Initialization, dataDir: string): boolean {
  const { terraform } = parts.safeParse(configuration).data ?? {};
  const { directory } = stack;
  return (
    localBackend.safeParse(terraform).success &&
    existsSync(join(directory, "terraform.tfstate.d")) &&
    ![directory, dataDir].some((folder) => existsSync(join(folder, "terraform.tfstate")))
  );
}

/** In Terraform's own folder, which may be deleted. */
const STAMP = "cdktf-console.initialized";

const parts = z.looseObject({
  terraform: z.unknown().optional(),
  provider: z.looseObject({}).optional().catch(undefined),
  resource: z.looseObject({}).optional().catch(undefined),
  data: z.looseObject({}).optional().catch(undefined),
  module: z.unknown().optional(),
});

/** With the workspaces in their usual folder. */
const localBackend = z.looseObject({
  backend: z.object({ local: z.looseObject({ workspace_dir: z.null().optional() }) }),
});

/** Identifies all that `init` depends on: backend, providers, modules, and the program itself. */
function basisOf({ program, version, configuration, environment }: Initialization): string {
  const { terraform, module, provider, resource, data } = parts.safeParse(configuration).data ?? {};
  const names = [provider, resource, data].map((block) => Object.keys(block ?? {}).sort());
  const variables = Object.entries(environment)
    .filter(([name]) => /^(TF_(HTTP|CLI|DATA|PLUGIN|WORKSPACE|REGISTRY)|PG)/.test(name))
    .sort();
  const basis = JSON.stringify([program, version, terraform, module, names, variables]);
  return createHash("sha256").update(basis).digest("hex");
}

/** The error for an `init` that failed. */
function initializationFailed(
  program: Program,
  { name, directory }: StackEntry,
  output: string,
): Diagnostic {
  const advice = initializationAdvice(output, directory, program);
  return error(
    "The stack was not initialized",
    printed`"${program} init" failed for stack "${name}", in ${directory}. Nothing was planned or changed.\n\n${joined([block(output.trim()), ...advice], "\n\n")}`,
  );
}
