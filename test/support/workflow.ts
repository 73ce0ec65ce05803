import { parse } from "yaml";
import { z } from "zod";

const STEP = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});

const PERMISSIONS = z.record(z.string(), z.string());

const WORKFLOW = z.object({
  permissions: PERMISSIONS,
  env: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.object({ permissions: PERMISSIONS, steps: z.array(STEP) })),
});

export type Step = z.output<typeof STEP>;

/** Reads a workflow of GitHub Actions, and all its steps. */
export function readWorkflow(text: string) {
  const workflow = WORKFLOW.parse(parse(text));
  return { workflow, steps: Object.values(workflow.jobs).flatMap((job) => job.steps) };
}

/** The rules for workflows: pinned actions, no credentials in checkouts, no inputs in scripts. */
export function checkSteps(steps: readonly Step[]): void {
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
  for (const { uses, with: given, run = "" } of steps) {
    if (uses?.startsWith("actions/checkout@")) expect(given?.["persist-credentials"]).toBe(false);
    // Inputs of others would be part of the script.
    expect(run).not.toContain("${{");
  }
}

/** The names of the steps that get secrets. */
export const trustedSteps = (steps: readonly Step[]) =>
  steps.filter(({ env }) => JSON.stringify(env ?? {}).includes("secrets.")).map(({ name }) => name);
