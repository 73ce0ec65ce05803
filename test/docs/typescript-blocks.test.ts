import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { startCli } from "../e2e/support/bundle";
import { ACCESS, Azurite } from "../object-stores/azurite";
import { FakeGcs, TOKEN } from "../object-stores/fake-gcs";
import { KEYS, Moto } from "../object-stores/moto";
import { ADMIN, consoleEnvironment } from "../support/console-environment";
import { packedPackage, packedPath, packedProject } from "../support/packed-package";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { StateServer } from "../support/state-server";
import { compileBlocks } from "./support/compile-blocks";
import { BLOCKS, blocksOf, ROOT, type Block } from "./support/pages";
import { isFragment, isTest, withAddresses } from "./support/run-page";

/*
 * Every block of TypeScript runs: programs in programs.test.ts, files of a guide in its run, blocks
 * of reference pages as the examples that they are generated from, tests and statements of a stack
 * here.
 */

const WRONG: Block = {
  place: "wrong.md:7",
  page: "wrong.md",
  line: 7,
  language: "ts",
  text: 'new License(stack, "license", {\n  clef: 1,\n});\n',
};

const { errors, modules } = compileBlocks([...blocksOf("ts", "typescript"), WRONG]);
const fragments = [...modules].filter(([block]) => isFragment(block));

test("every block of TypeScript compiles against the types of the package", () => {
  expect(modules.size).toBeGreaterThan(20);
  // The wrong block shows that errors are found, and have the line of the page.
  expect(errors).toEqual([expect.stringMatching(/^wrong\.md:9: .*'clef'/)]);
});

/** An app with a stack for each block, named after its page and line. */
function appOf(names: readonly string[]): string {
  const imports = names.map((name, index) => `import { block as block${index} } from "./${name}";`);
  const blocks = names.map((name, index) => `["${name}", block${index}] as const`);
  return `
import { App, TerraformStack } from "cdktf";
import { ConsoleProvider } from "cdktf-console";
${imports.join("\n")}
async function main() {
  const app = new App();
  for (const [name, block] of [${blocks.join(", ")}]) {
    const stack = new TerraformStack(app, name);
    await block(app, stack);
    if (stack.node.findAll().some((one) => one instanceof ConsoleProvider)) continue;
    new ConsoleProvider(stack, "provider");
  }
  app.synth();
}
void main();
`;
}

describeWithPostgres("the packed package", () => {
  let simulator: Simulator;
  let states: StateServer;
  let postgres: Postgres;
  let objects: Moto;
  let gcs: FakeGcs;
  let azurite: Azurite;
  beforeAll(async () => {
    simulator = await startSimulator({ signedUp: ADMIN, licensed: true, any: () => undefined });
    states = await StateServer.open();
    postgres = await Postgres.open();
    objects = await Moto.open();
    gcs = await FakeGcs.open();
    azurite = await Azurite.open();
  });
  afterAll(() =>
    Promise.all([
      simulator.close(),
      states.close(),
      postgres.close(),
      objects.close(),
      gcs.close(),
      azurite.close(),
    ]),
  );

  const withServers = (text: string) =>
    withAddresses(text, simulator)
      .replaceAll(/https:\/\/gitlab\.example\.com[^"`]*/g, states.url())
      .replaceAll(/postgres:\/\/db\.example\.com[^"]*/g, postgres.url);

  test("plans the statements of every guide", async () => {
    const directory = temporaryFolder();
    symlinkSync(packedPackage().modules, join(directory, "node_modules"));
    writeFileSync(
      join(directory, "cdktf.json"),
      JSON.stringify({ language: "typescript", app: "npx tsx main.ts" }),
    );
    const names = fragments.map(([{ place }]) => place.replaceAll(/^docs\/guides\/|\W+/g, "-"));
    for (const [index, [, text]] of fragments.entries()) {
      writeFileSync(join(directory, `${names[index] ?? ""}.ts`), withServers(text));
    }
    writeFileSync(join(directory, "main.ts"), appOf(names));
    const environment = {
      ...consoleEnvironment(simulator),
      ...KEYS,
      AWS_ENDPOINT_URL_S3: objects.url,
      ...TOKEN,
      GOOGLE_STORAGE_CUSTOM_ENDPOINT: gcs.relay.url,
      ...ACCESS,
      ...azurite.way,
      AUDIT_PASSWORD: "correct-horse-battery",
      PATH: packedPath(),
    };
    const { code, out, err } = await startCli(["plan"], { cwd: directory, environment }).ended;
    expect({ code, err, out }).toMatchObject({ code: 0, err: "" });
  });
});

test.each(BLOCKS.filter(isTest))("the test of $place passes", ({ text }) => {
  const directory = packedProject(join(temporaryFolder(), "my-console"));
  writeFileSync(join(directory, "guide.test.ts"), text);
  // The package of the test runner is the one of this checkout, and all others are packed.
  const config = {
    rootDir: directory,
    testMatch: ["**/guide.test.ts"],
    testTimeout: 60_000,
    transform: {
      "\\.ts$": [require.resolve("@swc/jest"), { jsc: { parser: { syntax: "typescript" } } }],
    },
  };
  const jest = join(ROOT, "node_modules/jest/bin/jest.js");
  const { status, stderr } = spawnSync(
    process.execPath,
    [jest, "--config", JSON.stringify(config)],
    { cwd: directory, encoding: "utf8" },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
});
