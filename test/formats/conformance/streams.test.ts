import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "../../cli/stack-files";
import { TestTerminal } from "../../cli/test-terminal";
import { describeWithTerraform } from "../../support/terraform";
import { TerraformProject } from "../../support/terraform-project";

type Line = Readonly<Record<string, unknown>>;

/** A stack with data, a provisioner and outputs beside a user, a license and policies. */
function stack(simulator: Simulator) {
  const base = consoleStack(simulator);
  return {
    ...base,
    data: { cwp_registry_settings: { all: { depends_on: ["cwp_license.license"] } } },
    resource: {
      ...(base.resource as object),
      null_resource: {
        gate: {
          count: 1,
          triggers: { license: "${cwp_license.license.key_fingerprint}" },
          provisioner: { "local-exec": { command: "echo '<one>'; echo" } },
        },
      },
    },
  };
}

/** Each engine has its own console and folder, so that both run everything. */
describeWithTerraform("the streams of both engines have the same messages", () => {
  const simulators: Simulator[] = [];
  let project: TerraformProject;
  let folder: string;
  beforeAll(async () => {
    simulators.push(await startSimulator(), await startSimulator());
    const outDir = writeStacks(temporaryFolder(), { prod: stack(simulators[0]!) });
    project = await TerraformProject.open(SECRETS, join(outDir, "stacks", "prod"));
    await project.succeed("init");
    folder = temporaryFolder();
    writeStacks(folder, { prod: stack(simulators[1]!) });
  });
  afterAll(() => Promise.all(simulators.map((simulator) => simulator.close())));

  const byTerraform = async (command: string) => linesOf((await project.run(command)).out);
  const byUs = async (...command: string[]) => {
    const terminal = new TestTerminal({ directory: folder, environment: SECRETS });
    await terminal.run(...command, "--json", "--out-dir", "cdktf.out");
    expect(terminal.err).toBe("");
    // Terraform has no record of the run, from which another one resumes.
    return linesOf(terminal.out).filter((line) => !/"type":"(run|wave|stack)_/.test(line));
  };

  test.each(["plan", "apply", "apply", "destroy"])("%s %#", async (command) => {
    const approve = command === "plan" ? [] : ["auto-approve"];
    const flags = approve.map((flag) => `-${flag}`);
    const theirs = await byTerraform([command, "-json", ...flags].join(" "));
    const ours = await byUs(command, ...approve.map((flag) => `--${flag}`));
    expect(ours).toEqual(theirs);
  });
});

/** Sorted, because operations run concurrently; without values that differ between runs. */
function linesOf(out: string): readonly string[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .filter(({ type }) => !["version", "diagnostic", "apply_progress"].includes(String(type)))
    .map((line) => JSON.stringify({ ...line, "@timestamp": "" }))
    .map((line) => line.replace(/\d{10,}/g, "ID"))
    .map((line) => line.replace(/(complete after |"elapsed_seconds":)\d+/g, "$1N"))
    .sort();
}
