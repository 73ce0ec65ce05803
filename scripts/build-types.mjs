/**
 * Writes the types of the entry points into dist/types/, after tsc: only what an entry point
 * reaches, with the types of packages that are bundled.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { ENTRY_POINTS, INSTALLED } from "./build/entry-points.mjs";
import { LIBRARY_TYPES, withLibraryTypes } from "./build/library.mjs";

const require = createRequire(import.meta.url);

/** Packages in the types of the entry points, that are not installed with them. */
const BUNDLED = ["zod", "undici", "lossless-json"];

// Inside the project, so that the types find the packages.
await mkdir("dist", { recursive: true });
const declarations = await mkdtemp(join("dist", ".declarations-"));
try {
  const options = ["-p", "tsconfig.build.json", "--outDir", declarations];
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...options], {
    stdio: "inherit",
  });
  const bundle = await rollup({
    input: Object.fromEntries(
      Object.entries(ENTRY_POINTS).map(([name, source]) => [
        name,
        join(declarations, relative("src", source).replace(/\.ts$/, ".d.ts")),
      ]),
    ),
    external: (name) =>
      name.startsWith("node:") ||
      INSTALLED.some((one) => name === one || name.startsWith(`${one}/`)),
    plugins: [dts({ includeExternal: BUNDLED })],
    onwarn(warning) {
      // The shared files are none of the package's entry points.
      if (!warning.message.includes("private shared type exports")) throw warning;
    },
  });
  await rm("dist/types", { recursive: true, force: true });
  const { output } = await bundle.write({ dir: "dist/types", chunkFileNames: "shared-[name].ts" });
  for (const { fileName, name, isEntry, code } of output) {
    const own = () => new Set(Object.keys(require(`../dist/${name}.js`)));
    const types = withLibraryTypes(isEntry ? withTypeExports(code, own()) : code);
    await writeFile(join("dist/types", fileName), types);
  }
  await writeFile("dist/types/library.d.ts", LIBRARY_TYPES);
} finally {
  await rm(declarations, { recursive: true, force: true });
}

/** Marks the exports that are only types: rollup forgets it of what several entry points share. */
function withTypeExports(code, values) {
  return code.replace(/^export \{([^}]*)\}/gm, (_, list) => {
    const names = list.split(",").map((one) => one.trim());
    const marked = names.map((one) => (values.has(one.split(" as ").at(-1)) ? one : `type ${one}`));
    return `export { ${marked.join(", ")} }`;
  });
}
