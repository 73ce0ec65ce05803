import { z } from "zod";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readFileNow, readTextNow } from "../../core/io/read-file";
import { fileFault } from "../../core/io/file-fault";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { ProjectFile } from "./project-files";

/**
 * The dependency of a new project on this package, or an error: its value in package.json, and the
 * files that the project keeps for it.
 */
export type PackageSource =
  | { readonly spec: string; readonly files: readonly ProjectFile[] }
  | { readonly problem: Diagnostic };

const installedPackages = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })),
});

/**
 * Returns how a project in `project` depends on the package in `root`: as this copy was installed. A
 * checkout needs the file that `npm pack` writes, because a linked folder would bring its own cdktf.
 */
export function packageSource(root: string, version: string, project: string): PackageSource {
  const modules = dirname(root);
  if (basename(modules) === "node_modules") {
    const resolved = resolvedPackage(modules, basename(root));
    if (resolved?.startsWith("file:")) {
      const file = resolve(dirname(modules), resolved.slice("file:".length));
      if (existsSync(file)) return packedFile(file, project);
      const detail = `This copy of cdktf-console was installed from ${file}, which no longer exists. Name another source with --package.`;
      return { problem: error("No package to install", detail) };
    }
    return { spec: resolved?.startsWith("git") ? resolved : `^${version}`, files: [] };
  }
  const packed = join(root, `cdktf-console-${version}.tgz`);
  if (existsSync(packed)) return packedFile(packed, project);
  const detail = `This is a checkout of cdktf-console, which has no ${basename(packed)} to install. Run "npm pack" in ${root}, or name another source with --package.`;
  return { problem: error("No package to install", detail) };
}

/** The value for a file that the user named, or the text as it is. */
export function namedSource(text: string, directory: string, project: string): PackageSource {
  const file = resolve(directory, text.replace(/^file:/, ""));
  const isPacked = /\.(tgz|tar\.gz)$/.test(text) && !/^[a-z+]+:\/\//.test(text);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (isPacked && existsSync(file)) return packedFile(file, project);
  if (!isPacked && !isFile) return { spec: text, files: [] };
  const what = isFile ? `${file} is no packed package` : `There is no ${file}`;
  const detail = `${what}. Name the file that "npm pack" wrote.`;
  return { problem: error("No package to install", detail) };
}

/** A project keeps a packed file, so that its repository has everything that `npm ci` installs. */
function packedFile(file: string, project: string): PackageSource {
  const inside = relative(project, file).split(sep).join("/");
  if (!inside.startsWith("../") && !isAbsolute(inside))
    return { spec: `file:${inside}`, files: [] };
  const path = `vendor/${basename(file)}`;
  try {
    return { spec: `file:${path}`, files: [{ path, content: readFileNow(file) }] };
  } catch (cause) {
    return { problem: error("No package to install", `${file}: ${fileFault(cause, file)}`) };
  }
}

/** The source of a package in `modules`, as npm noted it. */
function resolvedPackage(modules: string, name: string): string | undefined {
  try {
    const text = readTextNow(join(modules, ".package-lock.json"));
    return installedPackages.parse(JSON.parse(text)).packages[`node_modules/${name}`]?.resolved;
  } catch {
    return undefined;
  }
}
