import { block, printed, prose } from "../../core/printed";
import { z } from "zod";
import type { Environment } from "../../core/environment";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { OLDEST_NODE } from "../../core/io/node-version";
import { isOnPath } from "../../core/io/program";
import { schemaMessages } from "../../core/schema/schema-messages";
import { readJsonFile } from "../../language";
import { captureOutput } from "../terminal/captured-output";
import type { Screen } from "../terminal/screen";
import { readAppFailure } from "./app-failure";
import { EarlierSynth } from "./earlier-synth";

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
  const app = appEnvironment(environment, output, project);
  if ("problem" in app) return { diagnostics: [app.problem] };
  const manifest = join(output, "manifest.json");
  const earlier = await EarlierSynth.read(output);
  // The manifest of an earlier run must not pass for the result of this one.
  const unwritable = await rm(manifest, { force: true }).then(
    () => undefined,
    (cause: unknown) => notWritable(manifest, cause),
  );
  if (unwritable) return { diagnostics: [unwritable] };
  screen.announce(printed`Running the app: ${command}\n`);
  const run = { program: command, args: [], shell: true, directory, environment: app.environment };
  const { how, printed: said } = await captureOutput(run, screen.terminal).catch(
    async (interrupted: unknown) => {
      await earlier.restore();
      throw interrupted;
    },
  );
  if (how !== undefined) {
    await earlier.restore();
    const isMissing = how.endsWith("exit code 127");
    const failed = `"${command}" ${how}${isMissing ? ": the shell finds no such program" : ""}.`;
    const diagnostics = isOnPath("node", environment)
      ? failureOf(screen, failed, said, output)
      : [withoutNode(failed, said)];
    return { diagnostics };
  }
  screen.note(prose(said));
  if (!existsSync(manifest)) {
    await earlier.restore();
    const detail = `"${command}" succeeded, but there is no manifest.json in ${output}. An app must end with app.synth() and write to the folder in CDKTF_OUTDIR, as new App() does.`;
    return { diagnostics: [error("The app wrote no stacks", detail)] };
  }
  return { directory: output, diagnostics: [] };
}

const context = z.record(z.string(), z.unknown());

/**
 * Returns the environment of the app, which equals that of cdktf-cli and cdktn-cli. Only the output
 * folder is absolute here, so that an app may change its folder.
 */
function appEnvironment(
  { CDKTF_CONTEXT_JSON: given, ...environment }: Environment,
  output: string,
  project: Project = {},
): { readonly environment: Environment } | { readonly problem: Diagnostic } {
  const own = project.context ?? parseContext(given);
  if (!own) return { problem: invalidContext() };
  // Both replace the modules of the context. A project without their CLIs has them only there.
  const named = z.array(z.unknown()).safeParse(own.cdktfRelativeModules).data ?? [];
  const modules = (project.terraformModules ?? []).filter((one) =>
    /^\.\.?\//.test(typeof one === "string" ? one : one.source),
  );
  // Synthesized stacks contain no values of variables.
  const visible = Object.entries(environment).filter(([name]) => !name.startsWith("TF_VAR_"));
  const { NODE_ENV = "production", SYNTH_HCL_OUTPUT = "false" } = environment;
  const options = environment.NODE_OPTIONS ?? "";
  return {
    environment: {
      ...Object.fromEntries(visible),
      NODE_ENV,
      NODE_OPTIONS: options === "" ? "--max-old-space-size=4096" : options,
      SYNTH_HCL_OUTPUT,
      CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
      CDKTF_OUTDIR: output,
      CDKTF_CONTEXT_JSON: JSON.stringify({ ...own, cdktfRelativeModules: [...named, ...modules] }),
    },
  };
}

function parseContext(text = "{}"): z.infer<typeof context> | undefined {
  try {
    return context.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function invalidContext(): Diagnostic {
  return error(
    "Invalid context",
    'The environment variable CDKTF_CONTEXT_JSON is not a JSON object. Correct it, or set "context" in cdktf.json, which replaces it.',
  );
}

/** An error of Node that names a file: `EACCES: permission denied, mkdir '/a/b'`. */
const FILE_ERROR = /\b(?<code>E[A-Z]+): [^\n']*, (?<syscall>\w+) '(?<path>[^'\n]+)'/;

/**
 * The errors of the app's constructs, or one error that ends with what the app printed.
 *
 * @param folder of the stacks
 */
function failureOf(
  screen: Screen,
  how: string,
  output: string,
  folder: string,
): readonly Diagnostic[] {
  screen.log({ level: "debug", module: "app", message: how, fields: { output } });
  const { findings, text } = readAppFailure(output, screen.terminal.directory);
  if (findings.length === 0) {
    const fault = FILE_ERROR.exec(text)?.groups;
    const path = fault?.path ?? "";
    if (path === folder || path.startsWith(folder + sep)) return [notWritable(path, fault)];
    const said = printed` It printed:\n\n${block(text)}`;
    const detail = printed`${how} Nothing was planned or changed. Correct the app, or the command that runs it (--app, or "app" in cdktf.json).${appAdvice(how, text)}${text === "" ? "" : said}`;
    return [error("The app failed", detail)];
  }
  if (text !== "") screen.note(printed`${prose(text)}\n`);
  return findings;
}

/** Advice for the failures that people meet with a new app or machine. */
function appAdvice(how: string, text: string): string {
  if (/npx canceled due to missing packages|Cannot find (?:module|package) '[^./]/.test(text))
    return ' Install its packages with "npm install".';
  if (how.includes("exit code 126"))
    return ' Make it executable with "chmod +x", or name its interpreter.';
  if (/exit code 13[47]|SIGKILL|SIGABRT/.test(how))
    return " It was killed, or ran out of memory: NODE_OPTIONS=--max-old-space-size=8192 allows 8 GB.";
  return "";
}

/** The error for stacks that the app cannot write. */
function notWritable(path: string, cause: unknown): Diagnostic {
  return error(
    "The stacks cannot be written",
    `${path}: ${fileFault(cause, path)} "output" in cdktf.json names the folder of the stacks, by default cdktf.out. Nothing was planned or changed.`,
  );
}

/** The error for an app that fails where there is no Node. The constructs of all languages run in it. */
function withoutNode(failed: string, output: string): Diagnostic {
  const said = output.trim() === "" ? "" : printed` It printed:\n\n${block(output.trim())}`;
  return error(
    "Node.js is required to run the app",
    printed`${failed} There is no "node" on PATH, and constructs run in Node.js, those of Python and Go too. Nothing was planned or changed. Install Node.js ${OLDEST_NODE} or newer; or synthesize on another machine, and name the folder with --out-dir.${said}`,
  );
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
  context: context.optional(),
  terraformModules: z
    .array(z.union([z.string(), z.looseObject({ source: z.string() })]))
    .optional(),
});

/** Settings of cdktf.json that concern the app. */
type Project = z.infer<typeof projectFile>;

/** Reads cdktf.json. `project` is undefined if the folder has none, or after an error. */
export async function readProject(
  directory: string,
): Promise<{ project?: Project; diagnostics: readonly Diagnostic[] }> {
  const read = await readJsonFile(join(directory, "cdktf.json"), JSON.parse, true);
  if (read.kind === "missing") return { diagnostics: [] };
  if (read.kind === "faulty") return { diagnostics: [read.diagnostic] };
  const parsed = projectFile.safeParse(read.json, { error: schemaMessages });
  if (parsed.success) return { project: parsed.data, diagnostics: [] };
  const problems = parsed.error.issues.map(({ path, message }) =>
    error(
      "Invalid cdktf.json",
      `${path.length > 0 ? `"${path.join(".")}"` : "It"} ${message}. Write it as in { "app": "npx tsx main.ts" }.`,
    ),
  );
  return { diagnostics: problems };
}
