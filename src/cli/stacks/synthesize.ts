import { spawn } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { readProject } from "./project";
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
    return {
      diagnostics: [
        error(
          "The app failed",
          `"${command}" ${ended}. Its output is shown above. Nothing was planned or changed.`,
        ),
      ],
    };
  }
  if (!(await exists(manifest))) {
    return {
      diagnostics: [
        error(
          "The app wrote no stacks",
          `"${command}" succeeded, but there is no manifest.json in ${output}. An app must end with ` +
            "app.synth() and write to the folder in CDKTF_OUTDIR, as new App() does.",
        ),
      ],
    };
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
    const pass = (chunk: string) => {
      terminal.stderr.write(chunk);
    };
    child.stdout.setEncoding("utf8").on("data", pass);
    child.stderr.setEncoding("utf8").on("data", pass);
    child.on("error", (failure) => {
      resolvePromise(`could not be started: ${failure.message}`);
    });
    child.on("close", (code, signal) => {
      if (code === 0) resolvePromise(undefined);
      else
        resolvePromise(
          code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`,
        );
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
