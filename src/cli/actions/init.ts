import { block, printed } from "../../core/printed";
import { existsSync, lstatSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { version } from "../../../package.json";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { OLDEST_NODE } from "../../core/io/node-version";
import { IS_EXECUTABLE } from "../../core/io/package-files";
import { projectLibrary } from "../../core/io/project-library";
import { makeFolderInside } from "../../core/io/make-folder";
import { ExitCode } from "../exit-code";
import { installPackages } from "../init/install-packages";
import { namedSource, packageSource } from "../init/package-source";
import type { Library } from "../../core/library-names";
import { contractFile, packageName, projectFiles, type ProjectFile } from "../init/project-files";
import { PACKAGE_ROOT } from "../package-root";
import { openScreen, type CommonOptions, type Screen } from "../terminal/screen";
import { shellWord } from "../../core/io/shell-word";
import { writeFileNow } from "../../core/io/write-file";
import type { Terminal } from "../terminal/terminal";

export interface InitOptions extends CommonOptions {
  /** False: `--no-install`. */
  readonly install?: boolean;
  /** Write a contract too; in an existing project only that. */
  readonly contract?: boolean;
  /** Default: that of the project that the folder is in, or cdktf. */
  readonly library?: Library;
  /** Source of this package for npm. Default: the one that this copy is from. */
  readonly package?: string;
}

/** Writes a new project, which plans against an embedded console, and installs its packages. */
export async function init(
  terminal: Terminal,
  folder: string | undefined,
  options: InitOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (IS_EXECUTABLE) return screen.fail(NEEDS_NODE);
  const { directory } = terminal;
  const project = resolve(directory, folder ?? ".");
  // The waiver of the first apply is valid for 30 days.
  const expires = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
  const contracts = options.contract ? [contractFile(PACKAGE_ROOT, { expires })] : [];
  if (options.contract && existsSync(join(project, "cdktf.json"))) {
    return addContract(screen, project, contracts);
  }
  const source =
    options.package === undefined
      ? packageSource(PACKAGE_ROOT, version, project)
      : namedSource(options.package, directory, project);
  if ("problem" in source) return screen.fail(source.problem);
  const values = {
    $base: packageName(basename(project)),
    cdktf_console: source.spec,
  };
  const library = options.library ?? projectLibrary(project);
  const files = [...projectFiles(PACKAGE_ROOT, values, library), ...contracts, ...source.files];
  const problem = write(project, files);
  if (problem) return screen.fail(problem);
  screen.print(printed`Wrote ${files.length} files to ${project}:\n\n`);
  for (const { path } of files) screen.print(printed`  ${path}\n`);
  if (options.install === false) {
    next(screen, project, ["npm install", "npm run try"]);
    return ExitCode.DONE;
  }
  screen.print(printed`\nInstalling packages with npm...\n`);
  const failure = await installPackages(terminal, project);
  if (failure !== undefined) {
    const detail = printed`npm install failed in ${project}. The files of the project are complete: run "npm install" there again.\n\n${block(failure)}`;
    return screen.fail(error("Packages cannot be installed", detail));
  }
  next(screen, project, ["npm run try"]);
  return ExitCode.DONE;
}

function addContract(screen: Screen, project: string, files: readonly ProjectFile[]): ExitCode {
  const problem = write(project, files);
  if (problem) return screen.fail(problem);
  screen.print(
    printed`Wrote protection.yaml to ${project}.\n\nIt is the contract of the project: plan and apply read it, and refuse what violates it.\nReplace its waiver and add requirements: docs/guides/contract.md describes both.\n`,
  );
  return ExitCode.DONE;
}

const NEEDS_NODE = error(
  "Node.js is required for a project",
  `A project is a package of npm, whose app runs in Node.js. Install Node.js ${OLDEST_NODE} or newer, and run "npx cdktf-console init" of the npm package. Without Node.js, write HCL or name synthesized stacks with --out-dir.`,
);

/** The error if a file of the project exists already. */
function occupied(project: string, files: readonly ProjectFile[]): Diagnostic | undefined {
  const existing = files.filter(({ path }) =>
    lstatSync(join(project, path), { throwIfNoEntry: false }),
  );
  if (existing.length === 0) return undefined;
  const names = existing.map(({ path }) => path).join(", ");
  const detail = `${project} has ${names}. Nothing was written. Name another folder.`;
  return error("Files already exist", detail);
}

function write(project: string, files: readonly ProjectFile[]): Diagnostic | undefined {
  let file = project;
  try {
    const problem = occupied(project, files);
    if (problem) return problem;
    for (const { path } of files) {
      file = join(project, path);
      makeFolderInside(project, file);
    }
    for (const { path, content } of files) {
      file = join(project, path);
      writeFileNow(file, content, "create");
    }
  } catch (cause) {
    return error("Project cannot be written", `${file}: ${fileFault(cause, file)}`);
  }
  return undefined;
}

/** Prints the command that plans the project against an embedded console. */
function next(screen: Screen, project: string, commands: readonly string[]): void {
  const folder = relative(screen.terminal.directory, project);
  const words = [...(folder === "" ? [] : [`cd ${shellWord(folder)}`]), ...commands].join(" && ");
  screen.print(
    printed`\nPlan the stack against an embedded console, and open the plan in a browser:\n\n  ${words}\n\nThe stack is in stack.ts; README.md lists the other commands.\n`,
  );
}
