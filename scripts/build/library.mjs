/**
 * The library of the app, cdktf or cdktn, which has the same names. The sources import cdktf.
 */
const LIBRARIES = ["cdktf", "cdktn"];
const [SOURCE] = LIBRARIES;

/** Loads the library of the app in place of the one of the sources. */
export const libraryOfApp = {
  name: "library of the app",
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir = process.cwd() } }) {
    onResolve({ filter: /^cdktf(\/package\.json)?$/ }, ({ path, namespace }) =>
      namespace === "library" ? { path, external: true } : { path, namespace: "library" },
    );
    onLoad({ filter: /^/, namespace: "library" }, ({ path }) => {
      // Texts, so that bundlers of apps find the modules.
      const loaders = LIBRARIES.map(
        (name) =>
          `${name}: () => { try { return require("${path.replace(SOURCE, name)}"); } catch (cause) { throw cause; } }`,
      );
      return {
        contents: `
          const { loadFromLibrary } = require("./src/constructs/library-of-app");
          module.exports = loadFromLibrary({ ${loaders.join(", ")} }, Object.keys(require.cache ?? {}));`,
        resolveDir: absWorkingDir,
      };
    });
  },
};

/** Types of the one that is installed: TypeScript skips the other one, and names that both have. */
export const LIBRARY_TYPES = LIBRARIES.map(
  (name) => `// @ts-ignore: only one of the two is installed\nexport * from "${name}";\n`,
).join("");

/** @param code types that import the library by its name */
export function withLibraryTypes(code) {
  return code.replaceAll(/ from ['"]cdktf['"]/g, ' from "./library.js"');
}
