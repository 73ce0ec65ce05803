import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@cdktn/hcl2json";
import { startSimulator, type Simulator } from "../../src/simulator";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../terraform-1.15/install";
import {
  EXAMPLES_OF_ACTIONS,
  EXAMPLES_OF_PAGES,
  moduleName,
  writeHclModule,
  writeTypescriptModules,
  type Example,
} from "./support/examples";
import { readPlan, type PlannedModules } from "./support/planned-modules";

const ADMIN = { username: "admin", password: "correct-horse-battery" };
const LANGUAGES = ["hcl", "typescript"] as const;

/** Variables of the examples. */
const SECRETS: Readonly<Record<string, string>> = {
  CONSOLE_PASSWORD: ADMIN.password,
  CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

describeWithTerraform("the examples of a page in HCL and in TypeScript", () => {
  planTheSame(EXAMPLES_OF_PAGES);
});

describeWithTerraform115("the examples of actions in HCL and in TypeScript", () => {
  planTheSame(EXAMPLES_OF_ACTIONS, TERRAFORM_1_15);
});

function planTheSame(examples: readonly Example[], program = "terraform"): void {
  let simulator: Simulator;
  let plan: PlannedModules;

  beforeAll(async () => {
    simulator = await startSimulator({ signedUp: ADMIN, licensed: true, any: () => undefined });
    const environment = {
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: ADMIN.username,
      CONSOLE_PASSWORD: ADMIN.password,
    };
    const project = await TerraformProject.open(environment, undefined, program);
    const folder = (example: Example, language: (typeof LANGUAGES)[number]) =>
      join(project.directory, "modules", moduleName(example, language));
    for (const example of examples) writeHclModule(example, folder(example, "hcl"));
    writeTypescriptModules(examples, join(project.directory, "cdktf.out"), (example) =>
      folder(example, "typescript"),
    );
    project.write(await root(examples));
    await project.succeed("init");
    await project.succeed("plan -out plan");
    plan = readPlan(await project.succeed("show -json plan"));
  });

  afterAll(async () => {
    await simulator.close();
  });

  test.each(examples)("$name plans the same", (example) => {
    const [hcl, typescript] = LANGUAGES.map((language) => plan(moduleName(example, language)));
    expect(hcl).not.toEqual({});
    expect(typescript).toEqual(hcl);
  });
}

/** Returns a root with all examples as modules, with their variables and outputs. */
async function root(examples: readonly Example[]): Promise<object> {
  const modules: Record<string, object> = {};
  const outputs: Record<string, object> = {};
  for (const example of examples) {
    const declared = (await parse(example.hcl, readFileSync(example.hcl, "utf8"))) as {
      variable?: object;
      output?: object;
    };
    const variables = Object.fromEntries(
      Object.keys(declared.variable ?? {}).map((name) => [name, SECRETS[name]]),
    );
    for (const language of LANGUAGES) {
      const name = moduleName(example, language);
      modules[name] = { source: `./modules/${name}`, ...variables };
      for (const output of Object.keys(declared.output ?? {})) {
        outputs[`${name}-${output}`] = { value: `\${module.${name}.${output}}` };
      }
    }
  }
  const output = Object.keys(outputs).length > 0 && { output: outputs };
  return { provider: { cwp: {} }, ...required(), module: modules, ...output };
}

function required() {
  return { terraform: { required_providers: { cwp: { source: "cdktf-console/cwp" } } } };
}
