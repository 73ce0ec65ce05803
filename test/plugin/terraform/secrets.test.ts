import { unzipSync } from "fflate";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { everything, REGISTRY_SECRETS } from "../../e2e/support/stacks";
import { place } from "../../e2e/support/synthesized";
import { encodings, Witness } from "../../e2e/support/witness";
import { hurriedClock } from "../../support/hurried-clock";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, TerraformProject } from "../../support/terraform-project";

const SECRETS = {
  CONSOLE_PASSWORD: "canary-password \"<w&ö\\rd> '%$",
  CONSOLE_LICENSE_KEY: "canary-license/key+==",
  ...REGISTRY_SECRETS,
};

describeWithTerraform("no secret is in any file or output of terraform", () => {
  let simulator: Simulator;

  beforeAll(async () => {
    simulator = await startSimulator({ release: "20.04", clock: hurriedClock() });
  });
  afterAll(() => simulator.close());

  test("appear in no log, plan or state", async () => {
    const [{ url, console }] = simulator.consoles;
    const folder = temporaryFolder();
    const outDir = place(everything("20.04"), folder, { url, caFile: simulator.caFile });
    const logFile = join(temporaryFolder(), "log.txt");
    const witness = new Witness(console, folder);
    const variables = Object.entries(SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]);
    const project = await TerraformProject.open(
      {
        ...(Object.fromEntries(variables) as Record<string, string>),
        TF_LOG: "TRACE",
        TF_LOG_PATH: logFile,
      },
      join(outDir, "stacks/prod"),
    );
    let printed = "";
    for (const command of [
      "init",
      "plan -out plan",
      "apply plan",
      "plan",
      "show -json plan",
      "destroy -auto-approve",
    ]) {
      const { code, out, err } = await project.run(command);
      expect({ command, code, err }).toEqual({ command, code: 0, err });
      printed += out + err;
      witness.look();
    }
    const log = readFileSync(logFile, "utf8");
    // A plan is a zip file.
    const plan = unzipSync(readFileSync(join(project.directory, "plan")));
    for (const content of Object.values(plan)) printed += Buffer.from(content).toString("utf8");

    const canaries = ["canary-", "canary_"];
    const spellings = [...canaries, ...canaries.flatMap(encodings), ...witness.tokens];
    expect(spellings.filter((secret) => printed.includes(secret) || log.includes(secret))).toEqual(
      [],
    );
    expect(witness.places(spellings)).toEqual([]);
    expect(witness.tokens.size).toBeGreaterThan(0);

    // The log contains the requests nevertheless.
    expect(log).toMatch(/\[DEBUG\].* POST \/api\/v1\/signup: .*status=200/);
    expect(log).toMatch(/method=PUT .*duration_ms=\d+|duration_ms=\d+ .*method=PUT/);
  });
});
