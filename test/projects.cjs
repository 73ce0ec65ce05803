/**
 * The project of jest that each suite belongs to. `npm test` runs the first four, which need nothing
 * but Node; `npm run test:all` adds the next two, and `npm run test:long` the last.
 */
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The projects by the first folder of the suite, or by the name of its file. */
const FOLDERS = {
  core: ["core", "lint", "protection", "scripts", "support"],
  engine: ["backends", "formats", "language", "plugin", "runtime"],
  console: ["api", "constructs", "provider", "simulator", "terraform-provider", "upgrade"],
  product: [
    "automation.test.ts",
    "cli",
    "docs",
    "e2e",
    "examples",
    "fleet",
    "fuzz",
    "review",
    "second-console",
    "simulation",
    "templates.test.ts",
    "temporal",
    "testing.test.ts",
  ],
  /** The package as it is installed, and programs that a machine may lack. */
  shipped: [
    "bundles.test.ts",
    "cdktf-cli",
    "contributing",
    "licences.test.ts",
    "pictures",
    "release",
  ],
  /** The same stacks under Terraform or OpenTofu. */
  conformance: ["conformance"],
};

/** Suites of minutes, each with the suite of `test:all` that would most probably fail too. */
const LONG = {
  "cdktf-cli/guides-run.test.ts": "cdktf-cli/bindings.test.ts",
  "cdktf-cli/template.test.ts": "cdktf-cli/quickstart.test.ts",
  "conformance/failures/failures.test.ts": "conformance/failure.test.ts",
  "conformance/random/newer.test.ts": "conformance/random/random.test.ts",
  "contributing/add-a-kind.test.ts": "contributing/add-a-resource.test.ts",
  "contributing/add-a-release.test.ts": "contributing/add-a-resource.test.ts",
  "docs/guides-in-order.test.ts": "docs/guides-run.test.ts",
  "e2e/engine-state.test.ts": "e2e/engine-opentofu.test.ts",
  "e2e/engine-terraform-examples.test.ts": "examples/programs.test.ts",
  "e2e/month-of-an-operator.test.ts": "e2e/rollback.test.ts",
  "e2e/moved-tenants.test.ts": "cli/terraform/moved-console.test.ts",
  "e2e/state-migrate-s3.test.ts": "e2e/state-migrate.test.ts",
  "examples/status-run.test.ts": "examples/workflows-run.test.ts",
  "examples/tenants-run.test.ts": "examples/workflows-run.test.ts",
  "release/published.test.ts": "test/first-steps",
  "release/registry.test.ts": "release/executables.test.ts",
  "temporal/limits.test.ts": "temporal/schedules.test.ts",
  "temporal/scale.test.ts": "temporal/lost-workers.test.ts",
};

/** A suite that uses one of these belongs to a project of programs, wherever it is. */
const USES = {
  conformance: /\bdescribeWith(Terraform|Tofu)/,
  shipped:
    /\bdescribeWith(Azurite|Cdktf|Chromium|FakeGcs|Jq|Minio|Moto|Postgres|Temporal)\b|\bonPath\("conftest"\)|\/packed-package"|\/support\/bundle"|\/run-page"|\/kill"|\/killed-engine"|\.kill\("SIGKILL"\)/,
};

/**
 * @param {string} file - its path below `test`, with `/`
 * @param {string} text
 * @returns {string | undefined}
 */
function projectOf(file, text) {
  if (Object.hasOwn(LONG, file)) return "long";
  const [first] = file.split("/");
  const using = Object.keys(USES).find((name) => USES[name].test(text));
  return using ?? Object.keys(FOLDERS).find((name) => FOLDERS[name].includes(first));
}

/** Returns the suites of each project; throws if one belongs to none. */
function suites() {
  const names = [...Object.keys(FOLDERS), "long"];
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (const entry of readdirSync(__dirname, { recursive: true })) {
    if (!entry.endsWith(".test.ts")) continue;
    const path = join(__dirname, entry);
    const project = projectOf(entry.replaceAll("\\", "/"), readFileSync(path, "utf8"));
    if (!project)
      throw new Error(`test/${entry} belongs to no project: name its folder in test/projects.cjs`);
    found[project].push(path);
  }
  return found;
}

module.exports = { projectOf, suites };
