import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startSimulator } from "cdktf-console/simulator";
import { cli } from "../command";
import { measured } from "./measure";
import { SECRETS, writeStacks } from "./stacks";

/** A request that the command sent to a console. */
export interface Recorded {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly contentType?: string;
  readonly authorized: boolean;
  readonly body?: string;
}

/** The commands that are measured, in the order in which they run. */
export const STEPS = ["first apply", "no-op plan", "apply of one changed policy"] as const;
export type Step = (typeof STEPS)[number];

/** The arguments of the command of a step. */
export function commandOf(step: Step, outDir: string, concurrency: number): readonly string[] {
  const common = ["--out-dir", outDir, "--parallelism", String(concurrency)];
  return step === "no-op plan"
    ? [cli, "plan", ...common]
    : [cli, "apply", "--auto-approve", ...common];
}

/** Records the requests of each step for one tenant. */
export async function recordSteps(
  folder: string,
): Promise<Readonly<Record<Step, readonly Recorded[]>>> {
  const simulator = await startSimulator();
  try {
    const [{ console, url, name }] = simulator.consoles;
    const sent: Recorded[] = [];
    const handle = console.handle.bind(console);
    console.handle = (request) => {
      const { method, path, headers, body } = request;
      const contentType = headers["content-type"];
      sent.push({
        method: method as Recorded["method"],
        path,
        authorized: headers.authorization !== undefined,
        ...(typeof contentType === "string" && { contentType }),
        ...(body !== undefined && { body }),
      });
      return handle(request);
    };
    const served = [{ name, url, caFile: simulator.caFile }];
    const recorded = new Map<Step, readonly Recorded[]>();
    for (const step of STEPS) {
      const outDir = writeStacks(join(folder, "recorded"), served, 10, {
        changed: step === "apply of one changed policy",
      });
      await measured(folder, commandOf(step, outDir, 10), SECRETS);
      recorded.set(step, sent.splice(0));
    }
    return Object.fromEntries(recorded) as Record<Step, readonly Recorded[]>;
  } finally {
    await simulator.close();
    await rm(join(folder, "recorded"), { recursive: true, force: true });
  }
}
