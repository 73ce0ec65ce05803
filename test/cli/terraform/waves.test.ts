import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/** A stack that writes its name to the file `applied`. */
const tenant = (name: string) => ({
  resource: {
    terraform_data: {
      gate: {
        provisioner: [
          {
            "local-exec": {
              command: `echo ${name} >> applied`,
              working_dir: "${path.root}/../../..",
            },
          },
        ],
      },
    },
  },
});

describeWithTerraform("with Terraform as the engine", () => {
  test("runs go in waves, too", async () => {
    const directory = temporaryFolder();
    writeStacks(directory, { t0: tenant("t0"), t1: tenant("t1") });
    const terminal = new TestTerminal({ directory });
    const waves = ["--waves", "1,100%", "--check", "false", "--parallelism", "1"];
    const engine = ["--engine", "terraform", "--with-null", "--out-dir", "cdktf.out"];
    expect(await terminal.run("apply", "--auto-approve", ...waves, ...engine)).toBe(1);
    expect(terminal.out + terminal.err).toContain("Wave 1 of 2: 1 stack");
    expect(existsSync(join(directory, "applied"))).toBe(true);
    expect(readFileSync(join(directory, "applied"), "utf8")).toBe("t0\n");
  });
});
