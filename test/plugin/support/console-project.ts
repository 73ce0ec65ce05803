import { startSimulator, type Simulator, type SimulatorOptions } from "../../../src/simulator";
import { TerraformProject } from "../../support/terraform-project";

const SECRETS = {
  CONSOLE_PASSWORD: "canary-correct-horse-battery",
  CONSOLE_LICENSE_KEY: "canary-license-key",
};

const VARIABLES = Object.fromEntries(
  Object.entries(SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]),
);

/** A console in this process, and a folder for Terraform. */
export interface ConsoleProject {
  readonly simulator: Simulator;
  readonly console: Simulator["consoles"][0]["console"];
  readonly project: TerraformProject;
  /** The provider block, variables and required providers; with `alias`, of another console. */
  readonly head: string;
  /** Writes a configuration after the head. */
  readonly configure: (body: string) => void;
  readonly close: () => Promise<void>;
}

/** Starts a console that is set up, or a fresh one. */
export async function openConsoleProject({
  isFresh = false,
  program = "terraform",
  ...options
}: SimulatorOptions & {
  readonly isFresh?: boolean;
  readonly program?: string;
} = {}): Promise<ConsoleProject> {
  const setUp = {
    signedUp: { username: "admin", password: SECRETS.CONSOLE_PASSWORD },
    licensed: true,
  };
  const simulator = await startSimulator({ ...(!isFresh && setUp), ...options });
  const project = await TerraformProject.open(VARIABLES, undefined, program);
  const head = `
    terraform {
      required_providers {
        cwp = { source = "cdktf-console/cwp" }
        null    = { source = "hashicorp/null" }
      }
    }
    variable "CONSOLE_PASSWORD" {
      type      = string
      sensitive = true
      ephemeral = true
    }
    variable "CONSOLE_LICENSE_KEY" {
      type      = string
      sensitive = true
      ephemeral = true
    }
    ${providerBlock(simulator)}
  `;
  const configure = (body: string) => {
    project.write(`${head}\n${body}`, "main.tf");
  };
  configure("");
  await project.succeed("init");
  return {
    simulator,
    console: simulator.consoles[0].console,
    project,
    head,
    configure,
    close: () => simulator.close(),
  };
}

/** A provider block for a console of a simulator. */
export function providerBlock(simulator: Simulator, alias?: string, index = 0): string {
  return `
    provider "cwp" {
      ${alias === undefined ? "" : `alias = ${JSON.stringify(alias)}`}
      base_url            = ${JSON.stringify(simulator.consoles[index]?.url)}
      ca_certificate_file = ${JSON.stringify(simulator.caFile)}
      username            = "admin"
      password            = var.CONSOLE_PASSWORD
    }
  `;
}

/** A set of policies, each of which blocks check 41. */
export function policySet(names: readonly string[], more = ""): string {
  const policies = names.map(
    (name) => `{ name = ${JSON.stringify(name)}, checks = { 41 = true } }`,
  );
  return `
    resource "cwp_compliance_policy_set" "policies" {
      policies = [${policies.join(", ")}]
      ${more}
    }
  `;
}
