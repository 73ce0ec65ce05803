import { LIBRARIES, type Library } from "../core/library-names";
import { projectLibrary } from "../core/io/project-library";

/** Loads a module of each library, from where this package is installed. */
export type Loaders = Readonly<Record<Library, () => unknown>>;

let chosen: Library | undefined;

/**
 * Loads a module of the library of the app. All calls take the same library. The build puts this
 * call in place of each import of cdktf.
 *
 * @param loaded - paths of the modules that the program has loaded
 * @throws if no library is installed
 */
export function loadFromLibrary(loaders: Loaders, loaded: readonly string[]): unknown {
  const order = chosen === undefined ? libraryOrder(loaded, namedLibrary) : [chosen];
  for (const library of order) {
    try {
      const module = loaders[library]();
      chosen = library;
      return module;
    } catch (cause) {
      if (!isMissing(library, cause)) throw cause;
    }
  }
  throw new Error(
    'Neither cdktf nor cdktn is installed, and the constructs of cdktf-console need one of them. Run "npm install cdktf@^0.21.0 constructs@^10.4.2" in the project of the app.',
  );
}

/**
 * Orders the libraries for an app: first the one that the program has loaded; if it has loaded both or
 * none, the one that its project names.
 *
 * @param loaded - paths of the loaded modules, in the order of loading
 */
export function libraryOrder(
  loaded: readonly string[],
  named: () => Library | undefined,
): readonly Library[] {
  const found = [...new Set(loaded.flatMap((path) => libraryAt(path) ?? []))];
  const [first = "cdktf"] = found.length === 1 ? found : [named() ?? found[0]];
  return [first, ...LIBRARIES.filter((library) => library !== first)];
}

/** The library whose main module is at a path, which can be in an archive of Yarn. */
function libraryAt(path: string): Library | undefined {
  return LIBRARIES.find((name) =>
    path.replaceAll("\\", "/").endsWith(`/node_modules/${name}/lib/index.js`),
  );
}

/** The library that the package.json of the started program names, or that of the working directory. */
function namedLibrary(): Library | undefined {
  const [, program = process.cwd()] = process.argv;
  return projectLibrary(program) ?? projectLibrary(process.cwd());
}

/** A library can also miss a package that it needs, such as constructs. */
function isMissing(library: Library, cause: unknown): boolean {
  if (!(cause instanceof Error && "code" in cause && cause.code === "MODULE_NOT_FOUND"))
    return false;
  const [, module = library] = /^Cannot find module '([^']+)'/.exec(cause.message) ?? [];
  return module === library || module.startsWith(`${library}/`);
}
