import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withConsoles } from "../command";
import { rounded } from "./compare";
import { measured } from "./measure";
import { commandOf } from "./record";
import { SECRETS, writeStacks } from "./stacks";

export interface MemorySlope {
  readonly step: string;
  readonly from: number;
  readonly to: number;
  /** Growth of the peak resident size a tenant. */
  readonly kbPerTenant: number;
}

const STEPS = ["first apply", "no-op plan"] as const;

/**
 * Measures how the peak resident size of a command grows with the number of tenants.
 *
 * @param apart Each console has its own host.
 */
export async function memorySlopes(
  folder: string,
  from: number,
  to: number,
  concurrency: number,
  apart = false,
): Promise<readonly MemorySlope[]> {
  const [few, many] = [
    await peaks(folder, from, concurrency, apart),
    await peaks(folder, to, concurrency, apart),
  ];
  return STEPS.map((step, at) => ({
    step,
    from,
    to,
    kbPerTenant: rounded(((many[at] ?? 0) - (few[at] ?? 0)) / (to - from)),
  }));
}

async function peaks(
  folder: string,
  tenants: number,
  concurrency: number,
  apart: boolean,
): Promise<readonly number[]> {
  const run = join(folder, `memory-${tenants}`);
  try {
    const options = ["--tenants", String(tenants), ...(apart ? ["--hosts", String(tenants)] : [])];
    return await withConsoles(options, async (consoles) => {
      const outDir = writeStacks(run, consoles, concurrency);
      const found: number[] = [];
      for (const step of STEPS) {
        const { peakKb } = await measured(run, commandOf(step, outDir, concurrency), SECRETS);
        found.push(peakKb);
      }
      return found;
    });
  } finally {
    await rm(run, { recursive: true, force: true });
  }
}
