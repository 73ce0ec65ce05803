import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInSchema } from "../../../src/cli/stacks/built-in-schema";
import { builtInProviders } from "../../../src/provider/built-in";
import { Session, type PlanOptions } from "../../../src/runtime";
import type { PlanDocument } from "../../../src/core/documents/plan-document";
import { renderPlanJson } from "../../../src/formats/json/plan-json";
import { renderPlan } from "../../../src/formats/text/plan-text";
import { renderStateJson } from "../../../src/formats/json/state-json";
import { createStyle } from "../../../src/formats/text/style";
import { readState } from "../../../src/formats/state-file/read";
import { emptyState } from "../../../src/core/documents/state";
import { SECRETS, writeStacks, type StackJson } from "../../cli/stack-files";
import { TerraformProject } from "../../support/terraform-project";

type Json = Readonly<Record<string, unknown>>;

export interface Planned {
  readonly json: Json;
  readonly text: string;
}

/** One stack in one folder, with one state, that both engines plan. */
export class BothEngines {
  private constructor(
    private readonly folder: string,
    private readonly project: TerraformProject,
  ) {}

  static async open(folder: string, stack: StackJson): Promise<BothEngines> {
    const outDir = writeStacks(folder, { prod: stack });
    const project = await TerraformProject.open(SECRETS, join(outDir, "stacks", "prod"));
    await project.succeed("init");
    return new BothEngines(folder, project);
  }

  write(stack: StackJson): void {
    writeStacks(this.folder, { prod: stack });
  }

  terraform(command: string): Promise<string> {
    return this.project.succeed(command);
  }

  /** The state in JSON: Terraform's, and ours. */
  async states(): Promise<readonly [string, string]> {
    const theirs = await this.project.succeed("show -json");
    const bytes = readFileSync(join(this.folder, "terraform.prod.tfstate"));
    const { state } = readState(bytes, "terraform.prod.tfstate");
    return [theirs, `${renderStateJson(state ?? emptyState(), builtInSchema)}\n`];
  }

  async planByTerraform(...args: string[]): Promise<Planned> {
    await this.project.succeed(["plan", "-out=plan", ...args].join(" "));
    const json = JSON.parse(await this.project.succeed("show -json plan")) as Json;
    return { json: comparable(json), text: await this.project.succeed("show plan") };
  }

  /** Terraform's JSON of a plan that it makes with these variables in its environment. */
  async planJson(environment: Readonly<Record<string, string>>): Promise<string> {
    await this.project.succeed("plan -out=plan", environment);
    return this.project.succeed("show -json plan", environment);
  }

  async planByUs(options: Partial<PlanOptions> = {}): Promise<Planned> {
    const document = await this.documentByUs(options);
    const json = JSON.parse(renderPlanJson(document)) as Json;
    const style = createStyle(false);
    const text = renderPlan(document.plan, { style, width: 78, attributes: true });
    return { json: comparable(json), text };
  }

  /** Our plan document; no secret is in its JSON. */
  async documentByUs(options: Partial<PlanOptions> = {}): Promise<PlanDocument> {
    const environment = { PATH: process.env.PATH, ...SECRETS };
    const session = await Session.plan({
      outDir: join(this.folder, "cdktf.out"),
      variables: { environment, directories: [this.folder], given: [] },
      providers: builtInProviders(() => undefined),
      environment,
      ...options,
    });
    try {
      const [document] = session.documents();
      if (!document) throw new Error(JSON.stringify(session.diagnostics));
      const encoded = renderPlanJson(document);
      for (const secret of Object.values(SECRETS)) expect(encoded).not.toContain(secret);
      return document;
    } finally {
      await session.close();
    }
  }
}

/** Without what differs between any two plans; the order of what Terraform does not order. */
function comparable({ timestamp, terraform_version: version, ...json }: Json): Json {
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(version).toMatch(/^1\.11\.\d+$/);
  const priorState = json.prior_state as Json | undefined;
  const relevant = (json.relevant_attributes ?? []) as readonly unknown[];
  return {
    ...json,
    ...(priorState && { prior_state: { ...priorState, terraform_version: "" } }),
    relevant_attributes: relevant.map((one) => JSON.stringify(one)).sort(),
  };
}
