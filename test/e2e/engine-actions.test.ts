import { readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startSimulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { EXAMPLES_OF_ACTIONS, synthesizeExamples } from "../docs/support/examples";
import { ADMIN } from "../support/console-environment";
import { hurriedClock } from "../support/hurried-clock";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../terraform-1.15/install";
import { startCli } from "./support/bundle";
import { installNull } from "./support/engines";

describeWithTerraform115("the example of an action", () => {
  test("runs with Terraform as the engine, is announced, and is refused by the executor", async () => {
    const directory = temporaryFolder();
    const outDir = join(directory, "cdktf.out");
    synthesizeExamples(EXAMPLES_OF_ACTIONS, outDir);
    for (const stack of readdirSync(join(outDir, "stacks"))) await installNull(outDir, stack);
    const simulator = await startSimulator({
      signedUp: ADMIN,
      licensed: true,
      clock: hurriedClock(),
    });
    const [{ url, console }] = simulator.consoles;
    const environment = {
      CONSOLE_URL: url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: ADMIN.username,
      CONSOLE_PASSWORD: ADMIN.password,
      PATH: [dirname(TERRAFORM_1_15), process.env.PATH].join(delimiter),
    };
    const run = (command: string) =>
      startCli([...command.split(" "), "--out-dir", outDir], { cwd: directory, environment }).ended;
    try {
      const refused = await run("plan");
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err.match(/^Error: .*/gm)).toEqual(Array(4).fill("Error: Unsupported block"));
      expect(console.requests).toEqual([]);

      const applied = await run("apply --auto-approve --engine terraform");
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(applied.out).toContain("Warning: Plan invokes actions");
      const scans = console.requests.filter(({ path }) => path === "/api/v1/containers/scan");
      expect(scans).toHaveLength(1);
      const registryScans = console.requests.filter(({ path }) => path === "/api/v1/registry/scan");
      expect(registryScans).toHaveLength(1);

      const planned = await run("plan --detailed-exitcode --engine terraform");
      expect(planned).toMatchObject({ code: 0, err: "" });
    } finally {
      await simulator.close();
    }
  });
});
