import { z } from "zod";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { schemaMessages } from "../../provider/schema/schema-messages";
import { readJsonFile } from "../../runtime/config/json-file";
import type { Screen } from "../terminal/screen";

export interface SynthOptions {
  /** Command that runs the app. Default: `app` of cdktf.json. */
  readonly app?: string;
}

export interface Synthesized {
  /** Folder of the synthesized stacks, absolute. */
  readonly directory?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs the app as cdktf's own CLI does: in a shell, with output folder and context in the
 * environment. The output of the app goes to standard error, since standard output is for plans.
 */
export async function synthesize(screen: Screen, options: SynthOptions): Promise<Synthesized> {
  const { directory, environment } = screen.terminal;
  const { project, diagnostics } = await readProject(directory);
  if (hasErrors(diagnostics)) return { diagnostics };
  const command = (options.app ?? project?.app)?.trim();
  if (command === undefined || command === "") {
    return { diagnostics: [noApp(project !== undefined)] };
  }

  const output = resolve(directory, project?.output ?? "cdktf.out");
  const manifest = join(output, "manifest.json");
  // The manifest of an earlier run must not pass for the result of this one.
  await rm(manifest, { force: true });
  const ended = await runShell(command, screen, {
    ...environment,
    CDKTF_OUTDIR: output,
    CDKTF_CONTEXT_JSON: JSON.stringify(project?.context ?? {}),
  });
  if (ended !== undefined) {
    const detail = `"${command}" ${ended}. Its output is shown above. Nothing was planned or changed.`;
    return { diagnostics: [error("The app failed", detail)] };
  }
  if (!existsSync(manifest)) {
    const detail = `"${command}" succeeded, but there is no manifest.json in ${output}. An app must end with app.synth() and write to the folder in CDKTF_OUTDIR, as new App() does.`;
    return { diagnostics: [error("The app wrote no stacks", detail)] };
  }
  return { directory: output, diagnostics: [] };
}

/** Runs a shell command. Returns undefined for success, else the way it ended. */
function runShell(
  command: string,
  { terminal }: Screen,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolvePromise) => {
    const child = spawn(command, {
      shell: true,
      cwd: terminal.directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.setEncoding("utf8").on("data", terminal.stderr.write);
    child.stderr.setEncoding("utf8").on("data", terminal.stderr.write);
    child.on("error", (failure) => {
      resolvePromise(`could not be started: ${failure.message}`);
    });
    child.on("close", (code, signal) => {
      const how =
        code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`;
      resolvePromise(code === 0 ? undefined : how);
    });
  });
}

function noApp(hasProject: boolean): Diagnostic {
  return error(
    "No app to run",
    (hasProject ? 'cdktf.json has no "app"' : "There is no cdktf.json in this folder") +
      ". Set the command that runs the app with --app, or the folder of already synthesized " +
      "stacks with --out-dir.",
  );
}

const projectFile = z.looseObject({
  app: z.string().optional(),
  output: z.string().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
});

/** Settings of cdktf.json that concern the app. */
type Project = z.infer<typeof projectFile>;

/** Reads cdktf.json. `project` is undefined if the folder has none, or after an error. */
export async function readProject(
  directory: string,
): Promise<{ project?: Project; diagnostics: readonly Diagnostic[] }> {
  const read = await readJsonFile(join(directory, "cdktf.json"));
  if (read.kind === "missing") return { diagnostics: [] };
  if (read.kind === "faulty") return { diagnostics: [read.diagnostic] };
  const parsed = projectFile.safeParse(read.json, { error: schemaMessages });
  if (parsed.success) return { project: parsed.data, diagnostics: [] };
  const problems = parsed.error.issues.map(({ path, message }) =>
    error("Invalid cdktf.json", `${path.length > 0 ? `"${path.join(".")}"` : "It"} ${message}.`),
  );
  return { diagnostics: problems };
}
