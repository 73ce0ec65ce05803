/**
 * Bundles the package into dist/: the command line, and one file an entry point. Types are tsc's
 * affair (npm run build:types).
 */
import { chmod, rm } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { build } from "esbuild";

/**
 * Leaves out unused code, because parsing dominates the start of a program: of undici everything but
 * its pools and agents, of zod the languages other than English.
 */
const slim = {
  name: "slim",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: "undici",
      namespace: "slim",
      pluginData: { resolveDir },
    }));
    onLoad({ filter: /^undici$/, namespace: "slim" }, ({ pluginData: { resolveDir } }) => ({
      contents: `
        const { prototype } = require("undici/lib/dispatcher/dispatcher");
        Object.assign(prototype, require("undici/lib/api"));
        exports.Pool = require("undici/lib/dispatcher/pool");
        exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent");
        exports.RetryAgent = require("undici/lib/dispatcher/retry-agent");
        exports.buildConnector = require("undici/lib/core/connect");`,
      resolveDir,
    }));
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

const bundle = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  outdir: "dist",
  logLevel: "warning",
  legalComments: "none",
  // `import()` of a CommonJS file reads it twice, the first time for the names of its exports.
  supported: { "dynamic-import": false },
  plugins: [slim],
  external: [
    // The user's own: constructs of two copies do not mix.
    "cdktf",
    "constructs",
    "@cdktf/provider-null",
    // Finds its WebAssembly beside itself.
    "@cdktn/hcl2json",
    // Loaded by the first state in a database.
    "pg",
    // Loaded by the first expression that needs them.
    "re2js",
    "yaml",
    "iconv-lite",
  ],
};

// Names stay, so that stack traces in reports can be read.
const minified = { minifyWhitespace: true, minifySyntax: true };

const cli = resolve("src/cli");
const built = new Set();

/**
 * Bundles a file of the command line, and each file of it that is loaded by `import()` as a bundle
 * in dist/cli/. dist/cli.js then has the definitions of all commands, and a command loads one file:
 * many small files that share code would be smaller together, but take longer to load.
 */
async function buildCommandLine(file, name) {
  if (built.has(name)) return;
  built.add(name);
  const lazyImports = new Map();
  const lazy = {
    name: "lazy",
    setup({ onResolve }) {
      onResolve({ filter: /^\..*\.js$/ }, ({ kind, path, resolveDir }) => {
        const target = resolve(resolveDir, path.replace(/\.js$/, ".ts"));
        if (kind !== "dynamic-import" || !target.startsWith(cli)) return undefined;
        const words = relative(cli, target).replace(/(\/index)?\.ts$/, "");
        const bundled = `cli/${words.replaceAll(/[\\/]/g, "-")}`;
        lazyImports.set(target, bundled);
        return { path: `./${relative(dirname(name), bundled)}`, external: true };
      });
    },
  };
  const plugins = [...bundle.plugins, lazy];
  await build({ ...bundle, ...minified, plugins, entryPoints: { [name]: file } });
  await Promise.all([...lazyImports].map((lazyImport) => buildCommandLine(...lazyImport)));
}

/** Runs a script of the build, bundled, because it imports TypeScript. */
async function answersOfProviders() {
  const file = resolve("dist/provider-answers.cjs");
  const entryPoints = ["scripts/provider-answers.ts"];
  await build({ ...bundle, entryPoints, outdir: undefined, outfile: file });
  const { providerAnswers } = await import(file);
  const answers = await providerAnswers();
  await rm(file);
  return answers;
}

await rm("dist", { recursive: true, force: true });
const answers = JSON.stringify(await answersOfProviders());
await Promise.all([
  buildCommandLine("src/cli/main.ts", "cli"),
  // The program that Terraform starts: one file, without cdktf.
  build({
    ...bundle,
    ...minified,
    entryPoints: { provider: "src/plugin/main.ts" },
    banner: { js: `const PROVIDER_ANSWERS = ${answers};` },
  }),
  build({
    ...bundle,
    entryPoints: {
      index: "src/index.ts",
      client: "src/api/index.ts",
      simulator: "src/simulator/index.ts",
      testing: "src/testing.ts",
    },
  }),
]);
await chmod("dist/cli.js", 0o755);
