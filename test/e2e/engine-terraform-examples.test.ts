import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { EXAMPLES_OF_PAGES, synthesizeExamples } from "../docs/support/examples";
import { LONG_TESTS } from "../support/cases";
import { hurriedClock } from "../support/hurried-clock";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { installNull } from "./support/engines";
import { synthesizeApp } from "./support/synthesized";

const EXAMPLES = join(__dirname, "../../examples");
const ADMIN = { username: "admin", password: "correct-horse-battery" };

/** The examples of the documentation pages, on functional consoles, and the example apps. */
const PAGES = "pages";
/** Tenants need a file of theirs: test/e2e/tenants.test.ts runs that example. */
const APPS = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "tenants")
  .flatMap(({ name }) =>
    readdirSync(join(EXAMPLES, name)).map((file) => join(EXAMPLES, name, file)),
  )
  .filter((file) => file.endsWith(".ts"));
const nameOf = (app: string) => basename(dirname(app));

let synthesized: string;
beforeAll(() => {
  synthesized = temporaryFolder();
  synthesizeExamples(EXAMPLES_OF_PAGES, join(synthesized, PAGES));
  for (const app of APPS) synthesizeApp(app, join(synthesized, nameOf(app)));
});

/** Example apps in separate folders, each stack with its own console. */
async function open(app: string) {
  const directory = temporaryFolder();
  const outDir = join(directory, "cdktf.out");
  cpSync(join(synthesized, app), outDir, { recursive: true });
  const stacks = readdirSync(join(outDir, "stacks"));
  const simulator = await startSimulator({
    tenants: stacks.length,
    ...(app === PAGES && { signedUp: ADMIN, licensed: true }),
    clock: hurriedClock(),
  });
  for (const [index, stack] of stacks.entries()) {
    const folder = join(outDir, "stacks", stack);
    await installNull(outDir, stack);
    settle(join(folder, "cdk.tf.json"), simulator, index, directory);
    writeFileSync(join(folder, "report.sh"), REPORT, { mode: 0o755 });
  }
  const environment = {
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: ADMIN.username,
    CONSOLE_PASSWORD: ADMIN.password,
    CONSOLE_LICENSE_KEY: "license-key-of-the-test",
  };
  const run = (command: string) =>
    startCli([...command.split(" "), "--out-dir", outDir], { cwd: directory, environment }).ended;
  return { simulator, run };
}

/** The API that the example of cwp_token calls, which returns a JWT. */
const REPORT = '#!/bin/sh\ncase "$CONSOLE_TOKEN" in ey*.*.*) ;; *) exit 1 ;; esac\n';

/** Sets the console's address in the provider block, and the path of the state. */
function settle(file: string, { consoles, caFile }: Simulator, index: number, directory: string) {
  const text = readFileSync(file, "utf8").replaceAll(process.cwd(), directory);
  const stack = JSON.parse(text) as { provider: { cwp: object[] } };
  const there = { base_url: consoles[index]?.url, ca_certificate_file: caFile };
  const cwp = [{ ...stack.provider.cwp[0], ...there }];
  writeFileSync(file, JSON.stringify({ ...stack, provider: { ...stack.provider, cwp } }));
}

describeWithTerraform("every example", () => {
  // Each app has one of both directions, with LONG_TESTS both.
  const cases = [PAGES, ...APPS.map(nameOf)].flatMap((app, index) => {
    const directions = [
      { app, applies: "embedded", plans: "terraform" },
      { app, applies: "terraform", plans: "embedded" },
    ];
    return LONG_TESTS ? directions : [directions[index % 2]!];
  });

  test.each(cases)(
    "that $applies applied gives no changes under $plans: $app",
    async ({ app, applies, plans }) => {
      const { simulator, run } = await open(app);
      try {
        const applied = await run(`apply --auto-approve --engine ${applies}`);
        expect(applied).toMatchObject({ code: 0, err: "" });
        const planned = await run(`plan --detailed-exitcode --engine ${plans}`);
        expect(planned).toMatchObject({ code: 0, err: "" });
        expect(planned.out).toContain("No changes. Your infrastructure matches the configuration.");
      } finally {
        await simulator.close();
      }
    },
  );
});
