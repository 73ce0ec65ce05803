/** Packages that are part of the bundles: nobody installs them. */
const BUNDLED = [
  "@bufbuild/protobuf",
  "@dagrejs/dagre",
  "@msgpack/msgpack",
  "@peculiar/x509",
  "@types/pg",
  "commander",
  "csv-parse",
  "csv-stringify",
  "fflate",
  "iconv-lite",
  "jose",
  "lossless-json",
  "nanotar",
  "pg",
  "picocolors",
  "preact",
  "preact-render-to-string",
  "re2js",
  "reflect-metadata",
  "undici",
  "yaml",
  "zod",
];

// The arrows of docs/maintainers/architecture.md: the rooms that each room may import, types included. `cli` may
// import all.
const rooms = {
  core: [],
  api: ["core"],
  protection: [],
  provider: ["core", "api", "protection"],
  constructs: ["core", "provider"],
  formats: ["core"],
  runtime: ["core", "formats"],
  automation: ["core", "provider", "runtime"],
  fleet: ["core", "runtime"],
  review: ["core", "formats", "protection", "provider"],
  upgrade: ["core", "api", "provider", "runtime"],
  plugin: ["core"],
  "terraform-provider": ["core", "plugin", "provider"],
  simulator: ["core", "api"],
};

// Inside src/runtime/: a room may import those that stand before it, types included.
const runtime = [
  "expressions",
  "state",
  "backends",
  "config",
  "evaluation",
  "graph",
  "refactoring",
  "validation",
  "provisioners",
  "plan",
  "saved-plan",
  "apply",
  "import",
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `layer-${room}`,
      comment: `src/${room}/ may import ${allowed.length ? allowed.map((r) => `src/${r}/`).join(", ") : "nothing else in src/"}`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: `^src/(${[room, ...allowed].join("|")})/` },
    })),
    ...runtime.map((room, index) => ({
      name: `layer-runtime-${room}`,
      comment: `src/runtime/${room}/ may import, of src/runtime/, ${runtime.slice(0, index).join(", ") || "nothing"}`,
      severity: "error",
      from: { path: `^src/runtime/${room}/` },
      to: {
        path: "^src/runtime/",
        pathNot: `^src/runtime/(${runtime.slice(0, index + 1).join("|")})/`,
      },
    })),
    {
      name: "no-circular",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "one-reader-of-lossless-json",
      comment: "src/core/json/lossless-json.ts reads and writes JSON with exact numbers",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/core/json/lossless-json\\.ts$" },
      to: { path: "node_modules/lossless-json/" },
    },
    {
      name: "simulator-knows-no-client",
      comment: "src/simulator/ imports the tables and schemas of src/api/, never its client",
      severity: "error",
      from: { path: "^src/simulator/" },
      to: {
        path: "^src/api/",
        pathNot:
          "^src/api/(bodies|collections|default-policies|endpoints|release|http/transport)\\.ts$",
      },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/", pathNot: "\\.d\\.ts$" },
      to: {},
    },
    {
      name: "no-dev-dependency-at-run-time",
      comment: "what the bundles contain is a development dependency, and listed here",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["npm-peer"],
        pathNot: `node_modules/(${BUNDLED.join("|")})/`,
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["require", "node", "default", "types"],
    },
  },
};
