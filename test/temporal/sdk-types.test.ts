import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { describeWithTemporal, SDK_MODULES } from "./install";

const ROOT = join(__dirname, "../..");

/** The SDK is no dependency, so that its types are written down once more, as far as they are used. */
const PROGRAM = `
import * as activity from "@temporalio/activity";
import * as client from "@temporalio/client";
import * as envconfig from "@temporalio/envconfig";
import * as worker from "@temporalio/worker";
import * as workflow from "@temporalio/workflow";
import type * as ours from ${JSON.stringify(join(ROOT, "src/temporal/sdk"))};
export const used: [
  ours.ActivitySdk,
  ours.ClientSdk,
  ours.EnvironmentSdk,
  ours.WorkerSdk,
  ours.WorkflowSdk,
] = [activity, client, envconfig, worker, workflow];
`;

describeWithTemporal("the types of Temporal's SDK", () => {
  test("are those that this package relies on", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "used.ts"), PROGRAM);
    symlinkSync(SDK_MODULES, join(folder, "node_modules"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "node16"];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
    const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
    const { status, stdout } = spawnSync(
      process.execPath,
      [compiler, ...options, ...types, "--target", "es2022", join(folder, "used.ts")],
      { encoding: "utf8", cwd: folder },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});
