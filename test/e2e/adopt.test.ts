import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASES, type Release } from "../../src/api/release";
import { HOSTILE } from "../review/plans";
import { Workspace } from "./support/workspace";

const ROOT = join(__dirname, "../..");
const PASSWORD = "correct-horse-battery";
const SET_UP = { signedUp: { username: "admin", password: PASSWORD }, licensed: true };

let workspace: Workspace;
afterEach(() => workspace.close());

async function open(release: Release = "20.12"): Promise<void> {
  workspace = await Workspace.open({ ...SET_UP, release });
  workspace.environment = {
    CONSOLE_URL: workspace.simulator.consoles[0].url,
    CONSOLE_CA_FILE: workspace.simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: PASSWORD,
    CONSOLE_RELEASE: release,
  };
  // A project of a user, who has installed this package.
  symlinkSync(join(ROOT, "node_modules"), join(workspace.directory, "node_modules"));
  const compilerOptions = {
    resolveJsonModule: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "Node16",
    moduleResolution: "Node16",
    target: "ES2022",
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
    paths: { "cdktf-console": [join(ROOT, "src/index.ts")] },
  };
  const project = { compilerOptions, files: ["adopted/main.ts"] };
  writeFileSync(join(workspace.directory, "tsconfig.json"), JSON.stringify(project));
}

/** A policy made in the console, with members that no stack knows. */
function byHand(name: string, more: object = {}) {
  return {
    name,
    notes: `why ${name} is there`,
    condition: { vulnerabilities: [{ id: 41, block: true, minSeverity: 2 }, { id: 599 }] },
    ...more,
  };
}

const NAMES = [
  ...HOSTILE,
  "quotes ' \" ` and \\",
  "${var.CONSOLE_PASSWORD} %{ if true }",
  "$${x} ${TfToken[TOKEN.0]} -1.8881545897087505e+289",
  "*/ // `${1}` \u2028 \u2029 \u0000",
  "日本語 🙂",
];

const POLICIES = [
  ...NAMES.map((name) => byHand(name)),
  byHand("narrow", {
    disabled: true,
    verbose: true,
    resources: { hosts: [...NAMES], images: [], namespaces: ["prod-*"] },
  }),
];

function registry(release: Release) {
  const inline = { type: "basic", accountID: "robot", secret: { plain: "not-to-be-read" } };
  return [
    { registry: "", repository: "library/*", tag: "*", cap: 5, note: "by hand" },
    { registry: "quay.io", repository: "a/*", tag: "", credentialID: "quay", useAWSRole: true },
    ...(release === "20.04"
      ? [{ registry: "old.example.com", repository: "*", tag: "*", credential: inline }]
      : []),
  ];
}

function scopes(release: Release) {
  return release === "next"
    ? [{ credentialIDs: ["a", "b"], provider: "aws", cap: 3, enabled: true }]
    : [
        { credentialID: "a", provider: "aws", region: "eu-1", pattern: "*", cap: 3, enabled: true },
        { credentialID: "a", provider: "aws", region: "eu-2", pattern: "*", free: { x: 1 } },
      ];
}

const SPECS = [
  { name: "orders", credentialID: "a", provider: "aws", runtimes: ["python3.8", "nodejs12.x"] },
  { name: "plain ${x}", credentialID: "a", free: true },
];

async function fill(release: Release): Promise<void> {
  await workspace.console.edit({
    policies: POLICIES,
    registry: registry(release),
    serverlessScan: scopes(release),
    serverlessAutoDeploy: SPECS,
  });
}

const adopted = () => readFileSync(join(workspace.directory, "adopted/main.ts"), "utf8");
const writes = () => workspace.requests.filter((request) => !/^GET |\/authenticate/.test(request));

/** Runs the file in this process, as its app would run it. */
function synthesized(): void {
  const before = { directory: process.cwd(), environment: process.env };
  process.env = { ...before.environment, ...workspace.environment, CDKTF_OUTDIR: "cdktf.out" };
  process.chdir(workspace.directory);
  try {
    jest.requireActual(join(workspace.directory, "adopted/main.ts"));
  } finally {
    process.env = before.environment;
    process.chdir(before.directory);
  }
}

/** Runs the file as the app of a project. */
async function synthesizedByApp(): Promise<void> {
  const app = `${join(ROOT, "node_modules/.bin/tsx")} adopted/main.ts`;
  const terminal = workspace.terminal();
  const code = await terminal.run("synth", "--app", app);
  expect({ code, err: terminal.err }).toEqual({ code: 0, err: "" });
}

describe.each(RELEASES)("a console of release %s with manual settings", (release) => {
  beforeEach(async () => {
    await open(release);
    await fill(release);
  });

  test("is adopted: the first plan only imports, the second is empty, nothing is written", async () => {
    const before = workspace.console.policies();
    const ran = await workspace.runBare("adopt");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`  compliance policies: ${POLICIES.length}\n`);
    synthesized();

    const planned = await workspace.run("plan");
    expect(planned.err).toBe("");
    expect(planned.out).toContain("\nPlan: 4 to import, 0 to add, 0 to change, 0 to destroy.\n");
    const applied = await workspace.run("apply --auto-approve");
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect(await workspace.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
    expect(writes()).toEqual([]);
    expect(workspace.console.policies()).toEqual(before);
  });
});

test("writes generic resources for paths, without secrets", async () => {
  await open();
  const { console } = workspace;
  await console.store("policies/admission", {
    _id: "admission",
    rules: [{ name: "one", effect: "block", owner: "system" }],
  });
  await console.store("collections", [{ name: "a" }, { name: "b", images: ["x/*"] }]);
  await console.store("users", [{ username: "audit", role: "auditor", password: { sealed: "x" } }]);
  await console.store("alert-profiles", [
    { _id: "7", name: "chat", webhook: { token: "canary" }, policy: { all: true } },
  ]);
  const paths = ["policies/admission", "collections", "users", "alert-profiles"];
  const ran = await workspace.runBare(
    ["adopt", ...paths.flatMap((path) => ["--path", path])].join(" "),
  );
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(adopted()).toContain('new ConsoleList(stack, "admission_policy", {');
  expect(adopted()).toContain('.importFrom("user:audit");');
  expect(adopted()).toContain("//   webhook.token");
  expect(adopted()).not.toMatch(/canary|sealed/);
  synthesized();
  const planned = await workspace.run("plan");
  expect(planned.err).toBe("");
  expect(planned.out).toContain("\nPlan: 5 to import, 0 to add, 0 to change, 0 to destroy.\n");
  const applied = await workspace.run("apply --auto-approve");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(await workspace.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  expect(writes()).toEqual([]);
});

test.each([
  ["settings/../users", 'A path has no ".."'],
  ["settings/x", "404"],
])("refuses to adopt the path %s", async (path, problem) => {
  await open();
  const ran = await workspace.runBare(`adopt --path ${path}`);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain(problem);
});

describe("the file", () => {
  beforeEach(() => open());

  test("imports the library of the project that it is in", async () => {
    const manifest = JSON.stringify({ dependencies: { cdktn: "^0.24.0" } });
    mkdirSync(join(workspace.directory, "adopted"));
    writeFileSync(join(workspace.directory, "adopted/package.json"), manifest);
    await workspace.runBare("adopt");
    expect(adopted()).toContain('import { App, TerraformStack } from "cdktn";');
  });

  test("leaves out defaults", async () => {
    await workspace.console.edit({
      policies: [
        byHand("plain"),
        byHand("narrow", { disabled: true, resources: { images: ["team/*"] } }),
      ],
      registry: [{ registry: "", repository: "library/*", tag: "*" }],
    });
    await workspace.runBare("adopt");
    const absent = /^\/\/ The console has no .*\n\n/gm;
    expect(adopted().match(absent)).toEqual(
      expect.arrayContaining([
        "// The console has no serverless auto-deploy settings.\n\n",
        "// The console has no serverless scan settings.\n\n",
      ]),
    );
    expect(
      adopted().replace(absent, "").replaceAll(workspace.simulator.consoles[0].url, "https://HOST"),
    ).toMatchInlineSnapshot(`
      "// Written by cdktf-console adopt, from https://HOST (release 20.12).
      // The first plan imports the existing objects and changes nothing. After the first apply, remove
      // the calls of importFrom.
      import { App, TerraformStack } from "cdktf";
      import { CompliancePolicySet, ConsoleProvider, RegistryScan } from "cdktf-console";

      const app = new App();
      const stack = new TerraformStack(app, "adopted");

      // The credentials and the certificate authority come from the environment (CONSOLE_USERNAME,
      // CONSOLE_PASSWORD, CONSOLE_CA_FILE, …) or from props:
      // username: "admin", password: Secret.fromEnv("CONSOLE_PASSWORD").
      new ConsoleProvider(stack, "console", { baseUrl: "https://HOST" });

      // The API cannot read a license. This would install one and replace the existing license:
      // new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });

      // A stack cannot contain these members. The console keeps them:
      //   condition.vulnerabilities.minSeverity
      new CompliancePolicySet(stack, "policies", {
        policies: [
          {
            name: "plain",
            checks: { 41: true, 599: false },
            extraJson: '{"notes":"why plain is there"}',
          },
          {
            name: "narrow",
            disabled: true,
            resources: { images: ["team/*"] },
            checks: { 41: true, 599: false },
            extraJson: '{"notes":"why narrow is there"}',
          },
        ],
      }).importFrom("container:extra_json");

      new RegistryScan(stack, "registries", {
        specifications: [{ registry: "", repository: "library/*", tag: "*" }],
      }).importFrom("registry");

      app.synth();
      "
    `);
  });

  test("compiles with any names", async () => {
    await fill("20.12");
    await workspace.runBare("adopt");
    // Nothing in it is what an editor would not show.
    expect(adopted()).not.toMatch(/[^\P{C}\n]|\p{Zl}|\p{Zp}/u);
    expect(adopted()).not.toContain(PASSWORD);
    execFileSync(join(ROOT, "node_modules/typescript-7/bin/tsc"), { cwd: workspace.directory });
  });

  test("cannot be in a folder that is a file", async () => {
    writeFileSync(join(workspace.directory, "taken"), "");
    const { code, err } = await workspace.runBare("adopt --output taken");
    expect(code).toBe(1);
    expect(err.replace(/(?<=\S)\n(?=\S)/g, " ")).toMatch(
      /Stack cannot be written\n\n\S+\/taken: a part of the path is not a directory\./,
    );
  });

  test("is not overwritten without --force, and may have another name", async () => {
    writeFileSync(join(workspace.directory, "mine.ts"), "mine");
    const refused = await workspace.runBare("adopt --output mine.ts");
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/File already exists[^]*mine\.ts exists/);
    expect(readFileSync(join(workspace.directory, "mine.ts"), "utf8")).toBe("mine");
    const forced = await workspace.runBare("adopt --output mine.ts --force --name mine");
    expect(forced.code).toBe(0);
    expect(readFileSync(join(workspace.directory, "mine.ts"), "utf8")).toContain('(app, "mine")');
  });

  test("writes hundreds of policies in one or two lines each", async () => {
    await workspace.console.edit({
      policies: Array.from({ length: 300 }, (_, index) => ({
        ...byHand(`policy ${index}`),
        notes: "",
      })),
    });
    await workspace.runBare("adopt");
    const lines = adopted().split("\n");
    expect(lines.filter((line) => line.includes('{ name: "policy '))).toHaveLength(300);
    expect(lines.length).toBeLessThan(340);
  });
});

describe("what a stack cannot contain", () => {
  beforeEach(() => open());

  test.each([
    ["two policies of one name", [byHand("same"), byHand("same")], /Duplicate name/],
    ["text that Terraform would change", [byHand("e\u0301")], /normal form C/],
  ])("%s is left out with the reason; the rest is adopted", async (_, policies, reason) => {
    await workspace.console.load({ policies });
    const alone = await workspace.runBare("adopt --output alone");
    expect(alone.out).toContain("Nothing can be adopted as it is.");
    await workspace.console.edit({ registry: registry("20.12") });
    const ran = await workspace.runBare("adopt");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/^compliance policies  +\S+  +does not manage them/m);
    expect(adopted()).toMatch(reason);
    synthesized();
    const planned = await workspace.run("plan");
    expect(planned.out).toContain("Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.");
  });
});

test.each([
  ["first", ["one", "two", "same", "three", "same"], "container:prefix:2"],
  ["last", ["same", "one", "same", "two", "three"], "container:suffix:2"],
])("adopts the %s policies without two of one name", async (_, names, importId) => {
  await open();
  await workspace.console.edit({ policies: names.map((name) => byHand(name)) });
  const ran = await workspace.runBare("adopt");
  expect(ran.out).toMatch(/^3 of 5 compliance policies  +same  +keeps them/m);
  expect(ran.out.replace(/\s+/g, " ")).toMatch(/have the same name "same"/);
  expect(adopted()).toContain(importId);
  synthesized();
  const planned = await workspace.run("apply --auto-approve");
  expect(planned.out).toContain("1 imported, 0 added, 0 changed, 0 destroyed.");
  expect(workspace.console.policies().map(({ name }) => name)).toEqual(names);
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});

test("keeps unmanaged policies with another ownership", async () => {
  await open();
  await workspace.console.edit({ policies: [byHand("ours")] });
  await workspace.runBare("adopt --ownership prefix");
  expect(adopted()).toContain('.importFrom("container:prefix:1:extra_json")');
  await synthesizedByApp();
  expect((await workspace.run("apply --auto-approve")).code).toBe(0);
  await workspace.console.edit({ policies: [byHand("ours"), byHand("theirs")] });
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});

test("reports that an empty console has nothing to adopt", async () => {
  await open();
  await workspace.console.edit({ policies: [] });
  const { out } = await workspace.runBare("adopt");
  expect(out).toContain("The console has nothing to adopt.");
  expect(adopted()).toContain("// The console has no compliance policies.");
});
