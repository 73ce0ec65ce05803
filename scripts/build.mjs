/**
 * Bundles the package into dist/: the command line, and one file an entry point. npm run
 * build:types writes the types.
 */
import { chmod, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import * as esbuild from "esbuild";
import { ENTRY_POINTS, INSTALLED } from "./build/entry-points.mjs";
import { libraryOfApp } from "./build/library.mjs";
import { noticeOf } from "./build/notice.mjs";
import { sharedClasses } from "./build/shared-classes.mjs";
import { templateArchive } from "./build/template-archive.mjs";

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
        prototype.request = require("undici/lib/api/api-request");
        // For proxies.
        prototype.connect = function (...given) {
          return require("undici/lib/api/api-connect").apply(this, given);
        };
        exports.Pool = require("undici/lib/dispatcher/pool");
        exports.buildConnector = require("undici/lib/core/connect");
        const lazy = (name, get) => Object.defineProperty(exports, name, { enumerable: true, get });
        lazy("EnvHttpProxyAgent", () => require("undici/lib/dispatcher/env-http-proxy-agent"));
        lazy("RetryAgent", () => require("undici/lib/dispatcher/retry-agent"));`,
      resolveDir,
    }));
    // No console is called over HTTP/2, whose implementation takes longest to load. Undici
    // uses two parts of HTTP/1: the default limit of headers, and a class of messages.
    onResolve({ filter: /^node:(http2?|assert)$/ }, ({ importer, path }) =>
      /[\\/]undici[\\/]/.test(importer) ? { path, namespace: "slim" } : undefined,
    );
    onLoad({ filter: /^node:http2$/, namespace: "slim" }, () => ({
      contents: "module.exports = { constants: {} };",
    }));
    onLoad({ filter: /^node:http$/, namespace: "slim" }, () => ({
      contents: "module.exports = { maxHeaderSize: 16 * 1024, IncomingMessage: class {} };",
    }));
    onLoad({ filter: /^node:assert$/, namespace: "slim" }, () => ({
      contents: `module.exports = (value, message) => {
        if (!value) throw message instanceof Error ? message : new Error(message ?? "an assertion of undici failed");
      };`,
    }));
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

/** Modules of Node that take long to load, and that few runs need. */
const LAZY_BUILTINS = [
  "node:child_process",
  "node:http",
  "node:http2",
  "node:readline/promises",
  "node:tls",
  "node:zlib",
];

/** Loads modules that are not in the bundle when a member of them is used. */
function lazily(name, modules, pathOf) {
  const filter = new RegExp(`^(${modules.join("|")})$`);
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ path, namespace, kind }) =>
        namespace === name || kind === "dynamic-import"
          ? { path: pathOf(path), external: true }
          : { path, namespace: name },
      );
      onLoad({ filter, namespace: name }, async ({ path }) => {
        const module = await import(path);
        return {
          contents: `
            for (const name of ${JSON.stringify(Object.keys(module.default ?? module))})
              Object.defineProperty(exports, name, { enumerable: true, get: () => require("${path}")[name] });`,
        };
      });
    },
  };
}

const lazyBuiltins = lazily("lazy builtins", LAZY_BUILTINS, (path) => path);

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
  external: INSTALLED,
  metafile: true,
};

/** Packages that few runs need. Each is a bundle in dist/lazy/, loaded by the first use. */
const LAZY_PACKAGES = [
  "@aws-sdk/credential-providers",
  "@azure/identity",
  "csv-parse/sync",
  "google-auth-library",
  "iconv-lite",
  "pg",
  "re2js",
  "yaml",
];

/** The entry points of packages of which only a part is bundled. */
const PARTS = { "@azure/identity": "scripts/build/azure-identity.mjs" };

/** Refers to the bundles of lazy packages from the bundles in a folder of dist. */
const lazyPackages = (folder) =>
  lazily("lazy packages", LAZY_PACKAGES, (path) =>
    `./${relative(folder, `lazy/${path}.js`)}`.replace("./..", ".."),
  );

/** The source files of all bundles. */
const inputs = new Set();

/** All bundles, as esbuild lists them. */
const outputs = {};

async function build(options) {
  const { metafile } = await esbuild.build({ ...bundle, ...options });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  Object.assign(outputs, metafile.outputs);
}

// Names stay, so that stack traces in reports can be read.
const minified = { minifyWhitespace: true, minifySyntax: true };

const cli = resolve("src/cli");
const built = new Set();

/** Files of the command line with separate bundles. Others that are loaded by `import()` run late. */
const OWN_BUNDLES = /^(actions[\\/]|stacks[\\/]render-reviews)/;

/**
 * Bundles a file of the command line, and each of these that it loads by `import()`, as a bundle in
 * dist/cli/. dist/cli/main.js then has the definitions of all commands, and a command loads one file:
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
        const file = relative(cli, target);
        if (kind !== "dynamic-import" || !OWN_BUNDLES.test(file)) return undefined;
        const words = file.replace(/(\/index)?\.ts$/, "");
        const bundled = `cli/${words.replaceAll(/[\\/]/g, "-")}`;
        lazyImports.set(target, bundled);
        return { path: `./${relative(dirname(name), bundled)}`, external: true };
      });
    },
  };
  const plugins = [slim, lazyBuiltins, lazy, lazyPackages(dirname(name))];
  await build({ ...minified, plugins, entryPoints: { [name]: file } });
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
  // Both programs start with a small file, which loads the compiled code of the others.
  build({
    ...minified,
    entryPoints: { cli: "src/cli/start.ts", provider: "src/terraform-provider/start.ts" },
  }),
  buildCommandLine("src/cli/main.ts", "cli/main"),
  // The program that Terraform starts, without cdktf, and the provider itself.
  build({
    ...minified,
    entryPoints: { "provider-main": "src/terraform-provider/main.ts" },
    plugins: [slim, lazyBuiltins],
    external: ["./provider-calls.js"],
    banner: { js: `const PROVIDER_ANSWERS = ${answers};` },
  }),
  build({
    ...minified,
    entryPoints: { "provider-calls": "src/terraform-provider/provider-calls.ts" },
    plugins: [slim, lazyBuiltins],
  }),
  build({ plugins: [slim, lazyPackages("."), libraryOfApp], entryPoints: ENTRY_POINTS }),
  // The workflow, which Temporal's SDK bundles again for its sandbox, when a worker starts.
  build({
    stdin: {
      contents: `exports.cdktfConsoleRollout = require("./src/temporal/workflow").rolloutWorkflow(require("@temporalio/workflow"));`,
      resolveDir: ".",
    },
    outdir: undefined,
    outfile: "dist/temporal/workflow.js",
    external: ["@temporalio/workflow"],
    platform: "neutral",
    mainFields: ["module", "main"],
  }),
  build({
    ...minified,
    // A database client in C, which nobody installs.
    external: ["pg-native"],
    // Advice to developers about their version of Node.
    define: { "process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED": '"true"' },
    entryPoints: Object.fromEntries(
      LAZY_PACKAGES.map((name) => [`lazy/${name}`, PARTS[name] ?? name]),
    ),
  }),
]);
const shared = sharedClasses(outputs);
if (shared.length > 0)
  throw new Error(`instanceof compares different classes:\n${shared.join("\n")}`);
// Every start loads the definitions of the commands; a command loads the rest.
if (Object.keys(outputs["dist/cli/main.js"].inputs).some((path) => /[\\/]zod[\\/]/.test(path)))
  throw new Error(
    "dist/cli/main.js contains zod: a definition of a command imports a reader of data",
  );
await chmod("dist/cli.js", 0o755);
await writeFile("dist/NOTICE.txt", noticeOf(inputs));
await writeFile("dist/cdktf-template.zip", await templateArchive());
