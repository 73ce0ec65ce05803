// The arrows of docs/architecture.md. A room that is not named beside `to` may not be imported.
const rooms = {
  api: [],
  provider: ["api"],
  constructs: ["provider"],
  runtime: ["provider", "review"],
  review: ["provider", "runtime"],
  upgrade: ["api", "provider", "runtime", "review"],
  plugin: ["provider"],
  simulator: ["api"],
};

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
    {
      name: "no-circular",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/", pathNot: "\\.d\\.ts$" },
      to: {},
    },
    {
      name: "no-dev-dependency-at-run-time",
      severity: "error",
      from: { path: "^src/(api|provider|runtime|plugin|simulator|cli)/" },
      to: { dependencyTypes: ["npm-dev"] },
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
