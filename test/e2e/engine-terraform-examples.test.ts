import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { EXAMPLES_OF_PAGES, synthesizeExamples } from "../docs/support/examples";
import { hurriedClock } from "../support/hurried-clock";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { installNull } from "./support/engines";

jest.setTimeout(240_000);

const ADMIN = { username: "admin", password: "correct-horse-battery" };
/** One has a terraform_data, which is a part of Terraform itself. */
const EXAMPLES = EXAMPLES_OF_PAGES.filter(
  ({ typescript }) => !readFileSync(typescript, "utf8").includes("DataResource"),
);

let synthesized: string;
beforeAll(() => {
  synthesized = join(temporaryFolder(), "cdktf.out");
  synthesizeExamples(EXAMPLES, synthesized);
});

/** The examples in a folder of their own, each stack with a console of its own. */
async function open() {
  const directory = temporaryFolder();
  const outDir = join(directory, "cdktf.out");
  cpSync(synthesized, outDir, { recursive: true });
  const stacks = readdirSync(join(outDir, "stacks"));
  const simulator = await startSimulator({
    tenants: stacks.length,
    signedUp: ADMIN,
    licensed: true,
    clock: hurriedClock(),
  });
  for (const [index, stack] of stacks.entries()) {
    const folder = join(outDir, "stacks", stack);
    await installNull(outDir, stack);
    settle(join(folder, "cdk.tf.json"), simulator, index, directory);
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

/** The provider block gets the console's address, and the state's path is in the folder. */
function settle(file: string, { consoles }: Simulator, index: number, directory: string): void {
  const text = readFileSync(file, "utf8").replaceAll(process.cwd(), directory);
  const stack = JSON.parse(text) as { provider: { console: object[] } };
  const console = [{ ...stack.provider.console[0], base_url: consoles[index]?.url }];
  writeFileSync(file, JSON.stringify({ ...stack, provider: { ...stack.provider, console } }));
}

describeWithTerraform("every example", () => {
  it.each([
    ["embedded", "terraform"],
    ["terraform", "embedded"],
  ])("that %s applied gives no changes under %s", async (applies, plans) => {
    const { simulator, run } = await open();
    try {
      const applied = await run(`apply --auto-approve --engine ${applies}`);
      expect(applied).toMatchObject({ code: 0, err: "" });
      const planned = await run(`plan --detailed-exitcode --engine ${plans}`);
      expect(planned).toMatchObject({ code: 0, err: "" });
      expect(planned.out).toContain("No changes. Your infrastructure matches the configuration.");
    } finally {
      await simulator.close();
    }
  });
});
