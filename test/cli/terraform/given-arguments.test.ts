import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

const gates = { resource: { null_resource: { a: {}, b: {} } } };

async function run(environment: Record<string, string>, ...argv: string[]) {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: gates });
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err.replace(/\s+/g, " ") };
}

describeWithTerraform("TF_CLI_ARGS with --engine terraform", () => {
  const engine = ["--engine", "terraform", "--with-null"];

  test("honours the arguments of plan, which names one of two resources", async () => {
    const environment = { TF_CLI_ARGS_plan: "-target=null_resource.a" };
    const { code, out } = await run(environment, "plan", ...engine);
    expect(code).toBe(0);
    expect(out).toContain("null_resource.a");
    expect(out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  });

  test("refuses arguments for destroy, which it runs as plan and apply", async () => {
    const environment = { TF_CLI_ARGS_destroy: "-target=null_resource.a" };
    const { code, err } = await run(environment, "destroy", "--auto-approve", ...engine);
    expect(code).toBe(1);
    expect(err).toContain('Error: TF_CLI_ARGS_destroy has arguments for "terraform destroy"');
  });
});
