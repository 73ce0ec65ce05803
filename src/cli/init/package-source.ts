import { z } from "zod";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";

/** The dependency of a new project on this package: its value in package.json, or an error. */
export type PackageSource = { readonly spec: string } | { readonly problem: Diagnostic };

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
      return { spec: fileSpec(file, project) };
    }
    return { spec: resolved?.startsWith("git") ? resolved : `^${version}` };
  }
  const packed = join(root, `cdktf-console-${version}.tgz`);
  if (existsSync(packed)) return { spec: fileSpec(packed, project) };
  const detail = `This is a checkout of cdktf-console, which has no ${basename(packed)} to install. Run "npm pack" in ${root}, or name another source with --package.`;
  return { problem: error("No package to install", detail) };
}

/** The value for a file that the user named, or the text as it is. */
export function namedSource(text: string, directory: string, project: string): PackageSource {
  if (!/\.(tgz|tar\.gz)$/.test(text) || /^[a-z+]+:\/\//.test(text)) return { spec: text };
  const file = resolve(directory, text.replace(/^file:/, ""));
  if (existsSync(file)) return { spec: fileSpec(file, project) };
  return { problem: error("No package to install", `There is no ${file}.`) };
}

function fileSpec(file: string, project: string): string {
  return `file:${relative(project, file).split(sep).join("/")}`;
}

/** The source of a package in `modules`, as npm noted it. */
function resolvedPackage(modules: string, name: string): string | undefined {
  try {
    const text = readFileSync(join(modules, ".package-lock.json"), "utf8");
    return installedPackages.parse(JSON.parse(text)).packages[`node_modules/${name}`]?.resolved;
  } catch {
    return undefined;
  }
}
