import { transformSync } from "esbuild";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { run } from "./project";

/**
 * A client in C that pg does without, a store of undici's cache, which nothing here opens,
 * signatures that texts of AWS's library name, the other library of apps, and what Temporal's worker
 * puts into the bundle of a workflow.
 */
const OPTIONAL = [
  "@aws-sdk/signature-v4-crt",
  "@aws-sdk/signature-v4a",
  "@temporalio/workflow",
  "cdktn",
  "cdktn/package.json",
  "node:sqlite",
  "pg-native",
];

/** Loads all that the entry points load, in a project that has only the package and its peers. */
export function checkEntryPoints(directory: string): void {
  checkModules(join(directory, "node_modules/cdktf-console/dist"));
  const program = readFileSync(join(__dirname, "every-loader.ts"), "utf8");
  const { code } = transformSync(program, { loader: "ts", format: "cjs", target: "node20" });
  writeFileSync(join(directory, "every-loader.js"), code);
  run(directory, "node", "every-loader.js");
}

/**
 * Resolves all that the files of a folder load, where they are. The bundler turns each import into a
 * `require` of a text; what is loaded in another way is not in the package.
 */
export function checkModules(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, name));
  const missing = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\brequire\(\s*(["'])(.+?)\1\s*\)/g)]
      .map(([, , module = ""]) => module)
      .filter((module) => !OPTIONAL.includes(module) && !isThere(file, module))
      .map((module) => `${file}: ${module}`),
  );
  if (files.length === 0 || missing.length > 0) {
    throw new Error(`Not in ${folder}:\n${missing.join("\n")}`);
  }
}

function isThere(file: string, module: string): boolean {
  if (isBuiltin(module)) return true;
  if (module.startsWith(".")) {
    return ["", ".js"].some((end) => existsSync(join(dirname(file), module + end)));
  }
  try {
    createRequire(file).resolve(module);
    return true;
  } catch {
    return false;
  }
}
