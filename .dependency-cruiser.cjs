/** Packages that are part of the bundles: nobody installs them. */
const BUNDLED = [
  "@aws-sdk/credential-providers",
  "@azure/identity",
  "@bufbuild/protobuf",
  "@cdktf/provider-null",
  "@msgpack/msgpack",
  "@peculiar/x509",
  "@types/pg",
  "commander",
  "csv-parse",
  "csv-stringify",
  "fflate",
  "google-auth-library",
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
  backends: ["core", "formats"],
  language: ["core", "formats", "backends"],
  runtime: ["core", "formats", "backends", "language"],
  automation: ["core", "provider", "backends", "language", "runtime"],
  fleet: ["core", "backends", "language", "runtime"],
  review: ["core", "formats", "protection", "provider"],
  temporal: ["core", "fleet", "review", "runtime", "backends"],
  upgrade: ["core", "api", "provider", "language", "runtime"],
  plugin: ["core"],
  "terraform-provider": ["core", "plugin", "provider"],
  simulator: ["core", "api"],
};

// Inside a room: the floors from the ground up. Each may import those that stand before it, types included, and
// no floor the files that stand on none, which are on top.
const floors = {
  core: [
    "((?!provider|workspace)[^/]+\\.ts|json/)",
    "schema/",
    "io/",
    "workspace\\.ts",
    "definitions/",
    "planning/",
    "operations/",
    "documents/",
    "providers/",
  ],
  backends: ["state/"],
  language: ["expressions/", "config/"],
  runtime: [
    "evaluation/",
    "graph/",
    "refactoring/",
    "validation/",
    "provisioners/",
    "plan/",
    "saved-plan/",
    "apply/",
    "import/",
  ],
  provider: [
    "review-hints\\.ts",
    "console/",
    "listing\\.ts",
    "collections/",
    "generic/",
    "resources/",
    "actions/",
    "data-sources/",
    "ephemeral-resources/",
    "functions/",
    "configuration/",
  ],
  review: [
    "exclusions/",
    "entries/",
    "protection/",
    "overview/",
    "text/",
    "groups/",
    "progress/",
    "json/",
    "findings/",
    "markdown/",
    "html/",
    "status/",
  ],
  cli: [
    "(exit-code|child-environment|package-root)\\.ts",
    "terminal/",
    "contract/",
    "stacks/",
    "terraform/",
    "stored/",
    "rollout/",
    "remote/",
    "adopt/",
    "doctor/",
    "init/",
    "completion/",
    "simulate/",
    "actions/",
    "command-line/",
    "commands/",
  ],
};

/** The rooms that others enter by their index.ts only. */
const DOORS = ["backends", "language", "runtime"];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `layer-${room}`,
      comment: `src/${room}/ may import ${allowed.length ? allowed.map((r) => `src/${r}/`).join(", ") : "nothing else in src/"}`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: {
        path: "^src/",
        pathNot: `^src/(${[room, ...allowed].map((name) => (name.includes(".") ? `${name}$` : `${name}/`)).join("|")})`,
      },
    })),
    ...Object.entries(floors).flatMap(([room, order]) =>
      order.map((floor, index) => ({
        name: `floor-${room}-${floor}`,
        comment: `src/${room}/${floor} may import, of src/${room}/, ${order.slice(0, index).join(", ") || "nothing"}`,
        severity: "error",
        from: { path: `^src/${room}/${floor}` },
        to: {
          path: `^src/${room}/`,
          pathNot: `^src/${room}/(${order.slice(0, index + 1).join("|")})`,
        },
      })),
    ),
    {
      name: "doors",
      comment: "a room is entered by its index.ts, but for what is loaded when it is used",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: {
        path: `^src/(${DOORS.join("|")})/(?!index\\.ts$)`,
        pathNot: "^src/$1/",
        dependencyTypesNot: ["dynamic-import"],
      },
    },
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
          "^src/api/(bodies|collections|default-policies|endpoints|project|release|http/transport|catalogue/(catalogue|described-place))\\.ts$",
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
