/**
 * The library of the app: cdktn, or cdktf where that is not installed. The sources import cdktf, whose
 * names cdktn kept.
 */
const [NEW, OLD] = ["cdktn", "cdktf"];

/** Loads the one that is installed. */
export const libraryOfApp = {
  name: "library of the app",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^cdktf(\/package\.json)?$/ }, ({ path, namespace }) =>
      namespace === "library" ? { path, external: true } : { path, namespace: "library" },
    );
    onLoad({ filter: /^/, namespace: "library" }, ({ path }) => ({
      contents: `
        try {
          module.exports = require("${path.replace(OLD, NEW)}");
        } catch (cause) {
          if (cause.code !== "MODULE_NOT_FOUND") throw cause;
          module.exports = require("${path}");
        }`,
    }));
  },
};

/** Types of the one that is installed: TypeScript skips the other one, and names that both have. */
export const LIBRARY_TYPES = [NEW, OLD]
  .map((name) => `// @ts-ignore: only one of the two is installed\nexport * from "${name}";\n`)
  .join("");

/** @param code types that import the library by its name */
export function withLibraryTypes(code) {
  return code.replaceAll(/ from ['"]cdktf['"]/g, ' from "./library.js"');
}
