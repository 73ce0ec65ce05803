import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { checkSteps, readWorkflow } from "../support/workflow";

const ROOT = join(__dirname, "../..");
const text = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const WORKFLOW = text(".github/workflows/ci.yml");

test("the workflow of pull requests runs each part of .ci/run", () => {
  const parts = /\|\| parts=\(([^)]+)\)/.exec(text(".ci/run"))?.[1]?.split(" ");
  const matrix = z.object({
    jobs: z.object({
      ci: z.object({ strategy: z.object({ matrix: z.object({ part: z.array(z.string()) }) }) }),
    }),
  });
  expect(matrix.parse(parse(WORKFLOW)).jobs.ci.strategy.matrix.part).toEqual(parts);
});

test("it pins actions, keeps no credentials, and may only read", () => {
  const { workflow, steps } = readWorkflow(WORKFLOW);
  checkSteps(steps);
  expect(workflow.permissions).toEqual({ contents: "read" });
});

test("it runs on the lowest Node of the package", () => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(text("package.json")));
  expect(`>=${readWorkflow(WORKFLOW).workflow.env.NODE_VERSION}`).toBe(engines.node);
});
