/**
 * Bundles the package into dist/: the command line, and one file an entry point. Types are tsc's
 * affair (npm run build:types).
 */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { build, transform } from "esbuild";

/**
 * Leaves out what nothing here uses, since a program's start is the time that its text takes to
 * parse: of undici all but its pools, of zod the languages other than English, of grpc-js the client.
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
        exports.buildConnector = require("undici/lib/core/connect");`,
      resolveDir,
    }));
    // Of gRPC the server; what loads .proto files at run time is never called.
    onResolve({ filter: /^@grpc\/grpc-js$/ }, ({ resolveDir }) => ({
      path: "grpc",
      namespace: "slim",
      pluginData: { resolveDir },
    }));
    onLoad({ filter: /^grpc$/, namespace: "slim" }, ({ pluginData: { resolveDir } }) => ({
      contents: `
        exports.Server = require("@grpc/grpc-js/build/src/server").Server;
        exports.ServerCredentials =
          require("@grpc/grpc-js/build/src/server-credentials").ServerCredentials;
        exports.status = require("@grpc/grpc-js/build/src/constants").Status;`,
      resolveDir,
    }));
    onLoad({ filter: /@grpc[\\/]proto-loader/ }, () => ({ contents: "" }));
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

const output = {
  platform: "node",
  target: "node20",
  format: "cjs",
  // `import()` of a CommonJS file reads it twice, the first time for the names of its exports.
  supported: { "dynamic-import": false },
  legalComments: "none",
  logLevel: "warning",
};

const bundle = {
  ...output,
  bundle: true,
  outdir: "dist",
  plugins: [slim],
  external: [
    // The user's own: constructs of two copies do not mix.
    "cdktf",
    "constructs",
    "@cdktf/provider-null",
    // Finds its WebAssembly beside itself.
    "@cdktn/hcl2json",
    // Loaded by the first expression that needs it.
    "re2js",
  ],
};

// Names stay, so that stack traces in reports can be read.
const minified = { minifyWhitespace: true, minifySyntax: true };

/**
 * Bundles the command line: dist/cli.js holds the definitions of all commands, the chunks in
 * dist/cli/ are loaded when a command runs. esbuild splits ES modules only, so the chunks are
 * converted to CommonJS afterwards.
 */
async function buildCommandLine() {
  const { outputFiles } = await build({
    ...bundle,
    format: "esm",
    supported: {},
    splitting: true,
    minifySyntax: true,
    entryPoints: { cli: "src/cli/main.ts" },
    chunkNames: "cli/[name]-[hash]",
    write: false,
  });
  await mkdir("dist/cli", { recursive: true });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      // The chunk of a CommonJS dependency has that module's exports.
      const module = text.replace(/^export default (require_\w+\(\));$/m, "module.exports = $1;");
      const { code } = await transform(module, { ...output, ...minified });
      await writeFile(path, code);
    }),
  );
}

await rm("dist", { recursive: true, force: true });
await Promise.all([
  buildCommandLine(),
  // What Terraform starts: one file, with nothing of cdktf.
  build({ ...bundle, ...minified, entryPoints: { provider: "src/plugin/main.ts" } }),
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
