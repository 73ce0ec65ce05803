import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProtectionGate, type GateOptions } from "../../src/cli/stacks/protection-gate";
import { PLAN_PROVIDERS } from "../../src/cli/stacks/built-in-schema";
import { openScreen } from "../../src/cli/terminal/screen";
import { formatJson } from "../../src/core/json/format-json";
import type { StackPlan } from "../../src/core/documents/stack-plan";
import type { StackLabels } from "../../src/fleet/selection/labels";
import { encodeResourceChange } from "../../src/formats/json/plan-json";
import { readPlanJson } from "../../src/formats/json/read-plan";
import { reviewDocument } from "../../src/review/json/review-json";
import type { VerdictOutcome } from "../../src/review/protection/verdict";
import { policyChange } from "../review/entries/changes";
import { stackPlan } from "../review/plans";
import { CHANGES, SET } from "../review/protection/sets";
import { TestTerminal } from "./test-terminal";

/** Requires what `root` of the set does. */
export const REQUIREMENT = `version: 1
require:
  - name: no root in production
    where: { namespaces: ["prod-*"] }
    checks: { 599: block }
`;

const CONTRACTS = ["none", "requirement", "signed"] as const;

/** A change under a contract, with the results of the gates. */
export interface GatedChange {
  readonly name: string;
  /** The exit code of `plan --fail-on weaker`; undefined where it passes. */
  readonly code: number | undefined;
  readonly outcome: VerdictOutcome;
  /** The same for the plan as `terraform show -json` prints it. */
  readonly reviewedOutcome: VerdictOutcome;
  readonly document: string;
}

/** Judges each change of the sets without a contract, by a requirement, and with the waivers signed. */
export async function gatedChanges(): Promise<readonly GatedChange[]> {
  const folder = mkdtempSync(join(tmpdir(), "gates-"));
  const cases = CHANGES.flatMap(([name, after]) =>
    CONTRACTS.map((contract) => ({ name, after, contract })),
  );
  const rows: GatedChange[] = [];
  for (const [index, { name, after, contract }] of cases.entries()) {
    const directory = join(folder, String(index));
    mkdirSync(directory);
    const plan = stackPlan([policyChange([...SET], after && [...after], POLICIES)]);
    if (contract === "requirement") writeFileSync(join(directory, "protection.yaml"), REQUIREMENT);
    if (contract === "signed") await sign(directory, plan);
    rows.push({ name: `${name}, contract: ${contract}`, ...(await judge(directory, plan)) });
  }
  return rows;
}

const POLICIES = {
  address: "cwp_compliance_policy_set.policies",
  type: "cwp_compliance_policy_set",
  name: "policies",
};

/** Proposes the waivers that the plan needs, signs them, and makes them the contract. */
async function sign(directory: string, plan: StackPlan): Promise<void> {
  await refuse(directory, [plan], { failOn: "weaker", proposeWaivers: "waivers.yaml" });
  const proposed = readFileSync(join(directory, "waivers.yaml"), "utf8");
  const text = proposed
    .replaceAll('owner: ""', "owner: security@example.com")
    .replaceAll('reason: ""', "reason: until the migration")
    .replaceAll('expires: ""', "expires: 2999-01-01");
  writeFileSync(join(directory, "protection.yaml"), text);
}

async function judge(directory: string, plan: StackPlan): Promise<Omit<GatedChange, "name">> {
  const { code, verdict } = await refuse(directory, [plan], { failOn: "weaker" });
  const reviewed = await refuse(directory, readAgain(plan), { failOn: "weaker" });
  return {
    code,
    outcome: verdict.outcome,
    reviewedOutcome: reviewed.verdict.outcome,
    document: JSON.stringify(reviewDocument({ plans: [plan], verdict })),
  };
}

async function refuse(directory: string, plans: readonly StackPlan[], options: GateOptions) {
  const terminal = new TestTerminal({ directory });
  const opened = await ProtectionGate.open(terminal, options, {
    names: undefined,
    labels: () => Promise.resolve(new Map<string, StackLabels>()),
  });
  if ("problems" in opened) throw new Error(opened.problems.map(({ summary }) => summary).join());
  const code = opened.gate.refuse(openScreen(terminal, {}), plans);
  return { code, verdict: opened.gate.judge(plans) };
}

/** The plan as a reader of Terraform's JSON has it. */
function readAgain(plan: StackPlan): readonly StackPlan[] {
  const changes = plan.changes.map((change) => formatJson(encodeResourceChange(change)));
  const text = `{"format_version":"1.2","planned_values":{},"resource_changes":[${changes.join()}]}`;
  const { plans, diagnostics } = readPlanJson(text, "main", "plan.json", PLAN_PROVIDERS);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ summary }) => summary).join());
  return plans;
}
