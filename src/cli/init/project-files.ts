import { memberOf } from "../../core/member-of";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withLibrary } from "./library";
import type { Library } from "../../core/library-names";
import { readTextNow } from "../../core/io/read-file";

/** A file of a new project. */
export interface ProjectFile {
  /** Path in the project, with slashes. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Values of a template, by name: `{{ name }}` in its files and file names. */
export type TemplateValues = Readonly<Record<string, string>>;

/** Hooks of `cdktf init`. */
const HOOKS = ".hooks.sscaff.js";

/**
 * Returns the files of a project from the template in the package's folder `root`, which
 * `cdktf init --template` takes too, and the workflow of the examples.
 */
export function projectFiles(
  root: string,
  values: TemplateValues,
  library?: Library,
): readonly ProjectFile[] {
  const template = join(root, "templates/typescript");
  const workflow = readTextNow(join(root, "examples/workflows/github-actions.yml"));
  return [
    ...readdirSync(template)
      .filter((name) => name !== HOOKS)
      .sort()
      .map((name) => ({
        path: filled(name, values),
        content: withLibrary(filled(readTextNow(join(template, name)), values), library),
      })),
    { path: ".github/workflows/console.yml", content: workflow },
  ];
}

/** Returns the contract of a project. */
export function contractFile(root: string, values: TemplateValues): ProjectFile {
  const path = "protection.yaml";
  return { path, content: filled(readTextNow(join(root, "templates/contract", path)), values) };
}

/** `{{}}` in a file name keeps npm from treating the file as its own. */
function filled(text: string, values: TemplateValues): string {
  return text.replaceAll(/\{\{ *([\w$]*) *\}\}/g, (token, name: string) =>
    name === "" ? "" : (memberOf(values, name) ?? token),
  );
}

/** Returns the name of the npm package in a folder of this name. */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, "-")
    .replaceAll(/^[._-]+|-+$/g, "")
    .slice(0, 214);
  return name === "" || name === "node_modules" ? "console-stacks" : name;
}
