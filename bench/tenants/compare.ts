import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { withConsoles, type Served } from "../command";
import { median } from "../pairs";
import { measured, type Measured } from "./measure";
import { commandOf, STEPS, type Recorded, type Step } from "./record";
import { SECRETS, writeStacks } from "./stacks";

/** One command over many tenants beside the loops that send the same requests. Medians. */
export interface Comparison extends Load {
  readonly step: Step;
  readonly requestsPerTenant: number;
  readonly wallRatio: number;
  readonly cpuRatio: number;
  /** The CPU time of the floor as a multiple of that of the bare loop. */
  readonly floorRatio: number;
  readonly cpuMsPerTenant: number;
  readonly mainCpuMsPerTenant: number | null;
  readonly loopCpuMsPerTenant: number;
  readonly floorCpuMsPerTenant: number;
}

export interface Load {
  readonly tenants: number;
  /** Hosts that the consoles are spread over. */
  readonly hosts: number;
  readonly latencyMs: number;
  /** Requests in flight. */
  readonly concurrency: number;
}

interface Triple {
  readonly command: Measured;
  readonly bare: Measured;
  readonly floor: Measured;
}

/**
 * Runs each step over fresh consoles with the command, and over others with the loop and with the
 * floor: the loop that also reads, locks and writes. The three run in turn, so that a machine whose
 * speed drifts affects all.
 */
export async function compare(
  folder: string,
  load: Load,
  requests: Readonly<Record<Step, readonly Recorded[]>>,
  runs: number,
): Promise<readonly Comparison[]> {
  const loop = join(folder, "loop.cjs");
  buildSync({
    entryPoints: [join(__dirname, "loop.ts")],
    bundle: true,
    platform: "node",
    outfile: loop,
  });
  const found = new Map<Step, Triple[]>(STEPS.map((step) => [step, []]));
  for (let run = 0; run < runs; run++) {
    await runOnce(folder, loop, load, requests, (step, triple) => found.get(step)?.push(triple));
  }
  return [...found].map(([step, triples]) =>
    comparison(step, load, requests[step].length, triples),
  );
}

async function runOnce(
  folder: string,
  loop: string,
  { tenants, hosts, latencyMs, concurrency }: Load,
  requests: Readonly<Record<Step, readonly Recorded[]>>,
  add: (step: Step, triple: Triple) => void,
): Promise<void> {
  const served = ["--tenants", String(tenants), "--latency", String(latencyMs)];
  const options = hosts > 1 ? [...served, "--hosts", String(hosts)] : served;
  const run = join(folder, `${tenants}-${latencyMs}`);
  try {
    await withConsoles(options, (ours) =>
      withConsoles(options, (theirs) =>
        withConsoles(options, async (others) => {
          for (const step of STEPS) {
            const outDir = writeStacks(run, ours, concurrency, {
              changed: step === "apply of one changed policy",
            });
            const send = (consoles: readonly Served[], ...stacks: readonly string[]) =>
              replayed(run, loop, consoles, requests[step], concurrency, ...stacks);
            add(step, {
              command: await measured(run, commandOf(step, outDir, concurrency), SECRETS),
              bare: await send(theirs),
              floor: await send(others, outDir),
            });
          }
        }),
      ),
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
  ...stacks: readonly string[]
): Promise<Measured> {
  const [requestsFile, consolesFile] = ["requests.json", "consoles.json"].map((name) =>
    join(folder, name),
  ) as [string, string];
  await writeFile(requestsFile, JSON.stringify(requests));
  await writeFile(consolesFile, JSON.stringify(consoles));
  return measured(folder, [loop, requestsFile, consolesFile, String(concurrency), ...stacks]);
}

function comparison(
  step: Step,
  load: Load,
  requestsPerTenant: number,
  triples: readonly Triple[],
): Comparison {
  const { tenants } = load;
  const of = (figure: (triple: Triple) => number) => rounded(median(triples.map(figure)));
  const isReported = triples.every(({ command }) => command.mainCpuMs !== null);
  return {
    step,
    ...load,
    requestsPerTenant,
    wallRatio: of(({ command, bare }) => command.wallMs / bare.wallMs),
    cpuRatio: of(({ command, bare }) => command.cpuMs / bare.cpuMs),
    floorRatio: of(({ floor, bare }) => floor.cpuMs / bare.cpuMs),
    cpuMsPerTenant: of(({ command }) => command.cpuMs / tenants),
    mainCpuMsPerTenant: isReported
      ? of(({ command }) => (command.mainCpuMs ?? Number.NaN) / tenants)
      : null,
    loopCpuMsPerTenant: of(({ bare }) => bare.cpuMs / tenants),
    floorCpuMsPerTenant: of(({ floor }) => floor.cpuMs / tenants),
  };
}

/** The CPU time that each further tenant takes. */
export interface Margin {
  readonly step: Step;
  readonly from: number;
  readonly to: number;
  readonly latencyMs: number;
  readonly cpuMs: number;
  readonly loopCpuMs: number;
  readonly floorCpuMs: number;
  /** The CPU time as a multiple of that of the bare loop. */
  readonly cpuRatio: number;
}

/** The slopes between comparisons that differ in the number of tenants only. */
export function margins(comparisons: readonly Comparison[]): readonly Margin[] {
  return comparisons.flatMap((few, index): readonly Margin[] => {
    const many = comparisons
      .slice(index + 1)
      .find(({ step, latencyMs }) => step === few.step && latencyMs === few.latencyMs);
    if (many?.hosts !== few.hosts) return [];
    const { step, latencyMs, tenants: from } = few;
    const to = many.tenants;
    const slope = (of: (one: Comparison) => number) =>
      (of(many) * to - of(few) * from) / (to - from);
    const cpuMs = slope((one) => one.cpuMsPerTenant);
    const loopCpuMs = slope((one) => one.loopCpuMsPerTenant);
    return [
      {
        step,
        from,
        to,
        latencyMs,
        cpuMs: rounded(cpuMs),
        loopCpuMs: rounded(loopCpuMs),
        floorCpuMs: rounded(slope((one) => one.floorCpuMsPerTenant)),
        cpuRatio: rounded(cpuMs / loopCpuMs),
      },
    ];
  });
}

export function rounded(value: number): number {
  return Number(value.toFixed(2));
}
