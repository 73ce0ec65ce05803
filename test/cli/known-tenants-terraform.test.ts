import { rmSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../src/simulator";
import { describeWithTerraform } from "../support/terraform";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

describeWithTerraform("apply --run-log with Terraform as the engine", () => {
  test("takes no tenant of an earlier record for a new one", async () => {
    const simulator = await startSimulator();
    try {
      const directory = temporaryFolder();
      writeStacks(directory, { known: consoleStack(simulator) });
      const apply = async () => {
        const terminal = new TestTerminal({ directory, environment: SECRETS });
        const options = ["--out-dir", "cdktf.out", "--engine", "terraform", "--with-null"];
        const code = await terminal.run("apply", "-y", ...options, "--run-log", "runs/");
        return { code, err: terminal.err };
      };
      expect(await apply()).toEqual({ code: 0, err: "" });
      rmSync(join(directory, "terraform.known.tfstate"));
      await simulator.consoles[0].console.reset();
      const { code, err } = await apply();
      expect(code).toBe(1);
      expect(err).toContain("Error: Console refused the credentials\n");
      expect(err).toMatch(/runs\/\S+\.jsonl shows\s+that stack "known" was set up\s+before/);
      expect(simulator.consoles[0].console.data.license).toBeNull();
    } finally {
      await simulator.close();
    }
  }, 120_000);
});
