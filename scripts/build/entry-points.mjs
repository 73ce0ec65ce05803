/** The source of each entry point of package.json, by its file in dist. */
export const ENTRY_POINTS = {
  index: "src/index.ts",
  client: "src/api/index.ts",
  simulator: "src/simulator/index.ts",
  testing: "src/testing.ts",
  automation: "src/automation.ts",
};

/** Installed with the package: constructs of two copies do not mix, and the last one is WebAssembly. */
export const INSTALLED = ["cdktf", "cdktn", "constructs", "@cdktn/hcl2json"];
