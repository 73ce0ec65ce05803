import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/** A stack that writes its name to the file `applied`, and then ends with an exit code. */
const tenant = (name: string, code = 0) => ({
  resource: {
    terraform_data: {
      gate: {
        provisioner: [
          {
            "local-exec": {
              command: `echo ${name} >> applied; exit ${code}`,
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

  test("at most one stack more than --max-failures fails", async () => {
    const directory = temporaryFolder();
    const names = ["t0", "t1", "t2", "t3"];
    writeStacks(directory, Object.fromEntries(names.map((name) => [name, tenant(name, 1)])));
    const terminal = new TestTerminal({ directory });
    const budget = ["--max-failures", "1", "--parallelism", "4"];
    const engine = ["--engine", "terraform", "--with-null", "--out-dir", "cdktf.out"];
    expect(await terminal.run("apply", "--auto-approve", ...budget, ...engine)).toBe(1);
    expect(terminal.out).toContain("Stacks are changed 2 at a time, because 1 may fail.");
    expect(terminal.out).toContain("Not started: 2 of 4 stacks");
    expect(readFileSync(join(directory, "applied"), "utf8").trim().split("\n")).toHaveLength(2);
  });
});
