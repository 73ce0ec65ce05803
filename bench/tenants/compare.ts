import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { withConsoles, type Served } from "../command";
import { measured, type Measured } from "./measure";
import { commandOf, STEPS, type Recorded, type Step } from "./record";
import { SECRETS, writeStacks } from "./stacks";

/** One command over many tenants beside the loop that sends the same requests. */
export interface Comparison {
  readonly step: Step;
  readonly tenants: number;
  readonly latencyMs: number;
  readonly requestsPerTenant: number;
  readonly wallRatio: number;
  readonly cpuRatio: number;
  readonly cpuMsPerTenant: number;
  readonly loopCpuMsPerTenant: number;
}

export interface Load {
  readonly tenants: number;
  readonly latencyMs: number;
  /** Requests in flight. */
  readonly concurrency: number;
}

/**
 * Runs each step over fresh consoles with the command, and over others with the loop. The two run in
 * turn, so that a machine whose speed drifts affects both.
 */
export async function compare(
  folder: string,
  load: Load,
  requests: Readonly<Record<Step, readonly Recorded[]>>,
): Promise<readonly Comparison[]> {
  const { tenants, latencyMs, concurrency } = load;
  const loop = join(folder, "loop.cjs");
  buildSync({
    entryPoints: [join(__dirname, "loop.ts")],
    bundle: true,
    platform: "node",
    outfile: loop,
  });
  const options = ["--tenants", String(tenants), "--latency", String(latencyMs)];
  const run = join(folder, `${tenants}-${latencyMs}`);
  try {
    return await withConsoles(options, (ours) =>
      withConsoles(options, async (theirs) => {
        const found: Comparison[] = [];
        for (const step of STEPS) {
          const outDir = writeStacks(run, ours, concurrency, {
            changed: step === "apply of one changed policy",
          });
          const command = await measured(run, commandOf(step, outDir, concurrency), SECRETS);
          const bare = await replayed(run, loop, theirs, requests[step], concurrency);
          found.push(comparison(step, load, requests[step].length, command, bare));
        }
        return found;
      }),
    );
  } finally {
    await rm(run, { recursive: true, force: true });
  }
}

async function replayed(
  folder: string,
  loop: string,
  consoles: readonly Served[],
  requests: readonly Recorded[],
  concurrency: number,
): Promise<Measured> {
  const [requestsFile, consolesFile] = ["requests.json", "consoles.json"].map((name) =>
    join(folder, name),
  ) as [string, string];
  await writeFile(requestsFile, JSON.stringify(requests));
  await writeFile(consolesFile, JSON.stringify(consoles));
  return measured(folder, [loop, requestsFile, consolesFile, String(concurrency)]);
}

function comparison(
  step: Step,
  { tenants, latencyMs }: Load,
  requestsPerTenant: number,
  command: Measured,
  bare: Measured,
): Comparison {
  return {
    step,
    tenants,
    latencyMs,
    requestsPerTenant,
    wallRatio: rounded(command.wallMs / bare.wallMs),
    cpuRatio: rounded(command.cpuMs / bare.cpuMs),
    cpuMsPerTenant: rounded(command.cpuMs / tenants),
    loopCpuMsPerTenant: rounded(bare.cpuMs / tenants),
  };
}

export function rounded(value: number): number {
  return Number(value.toFixed(2));
}
