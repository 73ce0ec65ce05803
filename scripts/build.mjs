/**
 * Bundles the package into dist/: the command line, and one file an entry point. Types are tsc's
 * affair (npm run build:types).
 */
import { chmod, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { build } from "esbuild";

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

const shared = {
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
  ],
};

// Names stay, so that stack traces in reports can be read.
const program = { ...shared, minifyWhitespace: true, minifySyntax: true };

await rm("dist", { recursive: true, force: true });
await Promise.all([
  // What --help needs; what a command does is another file, loaded when it runs.
  build({
    ...program,
    entryPoints: { cli: "src/cli/main.ts" },
    banner: { js: "#!/usr/bin/env node" },
    external: [...shared.external, "./commands/*"],
  }),
  build({
    ...program,
    external: [...shared.external, "./review.js"],
    entryPoints: {
      "commands/console": "src/cli/commands/console.ts",
      "commands/index": "src/cli/commands/index.ts",
      "commands/provider": "src/cli/commands/provider.ts",
      "commands/report": "src/cli/commands/report.ts",
      "commands/review": "src/cli/commands/review.ts",
      "commands/simulate": "src/cli/commands/simulate.ts",
      "commands/upgrade": "src/cli/commands/upgrade.ts",
    },
  }),
  // What Terraform starts: one file, with nothing of cdktf.
  build({ ...program, entryPoints: { provider: "src/plugin/main.ts" } }),
  build({
    ...shared,
    entryPoints: {
      index: "src/index.ts",
      client: "src/api/index.ts",
      simulator: "src/simulator/index.ts",
      testing: "src/testing.ts",
    },
  }),
]);
await chmod("dist/cli.js", 0o755);
