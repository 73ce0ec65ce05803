import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { startSimulator, type Simulator } from "../../src/simulator";
import { REQUIREMENT } from "../cli/gates";
import {
  consoleStack,
  PASSWORD,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { CHANGES, SET } from "../review/protection/sets";
import { slice } from "../support/cases";
import { describeWhere, onPath } from "../support/requirement";
import { TerraformProject } from "../support/terraform-project";

/*
 * Each change under each contract passes all gates, or none: the commands, those of the pipelines that
 * the package has, and conftest; with the JSON of either engine. Without LONG_TESTS every twentieth change.
 */

jest.setTimeout(1_800_000);

const WORKFLOWS = resolve(__dirname, "../../examples/workflows");
const ROWS = slice(CHANGES, 20);

/** The commands of a workflow that decide, in their order, with the variables of the CI system. */
function commandsOf(file: string): readonly (readonly string[])[] {
  const variables: Readonly<Record<string, string>> = {
    ...{ STACK: "prod", WORKSPACE: "prod", PLANFILE: "plan.bin", SHOWFILE: "review.json" },
  };
  const text = readFileSync(join(WORKFLOWS, file), "utf8");
  return [...text.matchAll(/npx cdktf-console ((?:plan|apply) .*)$/gm)].map(([, command = ""]) =>
    command.split(" ").map((word) => {
      const [, variable] = /^"\$(\w+)"$/.exec(word) ?? [];
      return variable === undefined ? word : variables[variable]!;
    }),
  );
}

let simulator: Simulator;
let directory: string;

function write(policies: readonly ObjectValue[] | undefined): void {
  const { resource, ...stack } = consoleStack(simulator);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const set = { policies: { policies, depends_on: ["cwp_license.license"] } };
  writeStacks(directory, {
    prod: {
      ...stack,
      resource: {
        ...{ cwp_bootstrap, cwp_license },
        ...(policies !== undefined && { cwp_compliance_policy_set: set }),
      },
    },
  });
}

async function run(...argv: readonly string[]) {
  const environment = {
    ...SECRETS,
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: PASSWORD,
  };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const OUT = ["--out-dir", "cdktf.out"];
const passes = async (...argv: readonly string[]) => (await run(...argv)).code === 0;
const verdictIn = (json: string) => (JSON.parse(json) as { verdict: string }).verdict;
const read = (file: string) => readFileSync(join(directory, file), "utf8");

function setContract(text: string | undefined): void {
  for (const folder of ["", "base"]) {
    mkdirSync(join(directory, folder), { recursive: true });
    const file = join(directory, folder, "protection.yaml");
    // The pipelines give an empty contract where the base branch has none.
    if (text !== undefined) writeFileSync(file, text);
    else if (folder === "") rmSync(file, { force: true });
    else writeFileSync(file, "version: 1\n");
  }
}

const contracts = {
  none: () => undefined,
  requirement: () => REQUIREMENT,
  signed,
};

/** Proposes the waivers that the plan needs, and signs them. */
async function signed(): Promise<string> {
  setContract(undefined);
  await run("plan", ...OUT, "--fail-on", "weaker", "--propose-waivers", "waivers.yaml");
  return read("waivers.yaml")
    .replaceAll('owner: ""', "owner: security@example.com")
    .replaceAll('reason: ""', "reason: until the migration")
    .replaceAll('expires: ""', "expires: 2999-01-01");
}

function conftest(): boolean {
  const policy = join(WORKFLOWS, "policy");
  const argv = ["test", "review.json", "--policy", policy];
  return spawnSync("conftest", argv, { cwd: directory }).status === 0;
}

describeWhere(onPath("conftest"), "the gates", () => {
  let terraform: TerraformProject;

  beforeAll(async () => {
    simulator = await startSimulator();
    directory = temporaryFolder();
    write(SET);
    expect(await run("apply", ...OUT, "--auto-approve")).toMatchObject({ code: 0 });
    terraform = await TerraformProject.open(SECRETS, join(directory, "cdktf.out/stacks/prod"));
    await terraform.succeed("init");
  });
  afterAll(() => simulator.close());

  /** Writes the plan as JSON, ours and Terraform's, which a refused plan is not saved for. */
  async function writeJson(): Promise<readonly string[]> {
    setContract(undefined);
    rmSync(join(directory, "protection.yaml"), { force: true });
    await run("plan", ...OUT, "--out", "plan.bin");
    await terraform.succeed("plan -out=plan");
    const documents = {
      embedded: (await run("show", "plan.bin", "--json")).out,
      terraform: await terraform.succeed("show -json plan"),
    };
    return Object.entries(documents).map(([engine, document]) => {
      mkdirSync(join(directory, engine), { recursive: true });
      writeFileSync(join(directory, engine, "prod.json"), document);
      return `${engine}/prod.json`;
    });
  }

  describe.each(ROWS)("agree: %s", (_, after) => {
    let files: readonly string[];
    beforeAll(async () => {
      write(after);
      files = await writeJson();
    });

    test.each(Object.entries(contracts))("contract: %s", async (_, contract) => {
      setContract(await contract());
      const gate = ["--fail-on", "weaker"];
      const plan = await passes("plan", ...OUT, ...gate, "--review-json", "review.json");
      const results: Record<string, boolean> = {
        verdict: verdictIn(read("review.json")) === "passed",
        conftest: conftest(),
      };
      for (const file of files) {
        for (const more of [[], ["--console"]]) {
          const { code, out } = await run("review", file, ...more, ...gate, "--json");
          const name = ["review", file, ...more].join(" ");
          results[name] = code === 0;
          results[`verdict of ${name}`] = verdictIn(out) === "passed";
        }
      }
      if (!plan) results["apply of the saved plan"] = await passes("apply", "plan.bin", ...gate);
      for (const file of ["github-actions.yml", "gitlab-ci.yml", "atlantis.yaml"]) {
        const isAtlantis = file.startsWith("atlantis");
        for (const [command = "", ...argv] of commandsOf(file)) {
          if (command === "plan") {
            results[`${file}: ${argv.join(" ")}`] =
              (await passes(command, ...argv, ...(isAtlantis ? OUT : []))) &&
              (!isAtlantis || conftest());
          } else if (plan) {
            results[`${file}: apply`] = await passes(command, ...argv);
            write(SET);
            expect(await passes("apply", ...OUT, "--auto-approve")).toBe(true);
            write(after);
          }
        }
      }
      expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, plan])));
    });
  });
});
