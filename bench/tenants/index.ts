/**
 * Many tenants in one run, as ratios within one run of the benchmark. Prints JSON.
 *
 *   npm run bench:tenants
 *   npm run bench:tenants -- --tenants 100 --latency 0 --memory 200,400 --terraform 4
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasTerraform } from "../command";
import { compare, margins, type Comparison } from "./compare";
import { emptyPrograms } from "./empty-program";
import { memorySlopes } from "./memory";
import { recordSteps } from "./record";
import { synthesis } from "./synthesis";
import { besideTerraform } from "./terraform";

const { values: options } = parseArgs({
  options: {
    tenants: { type: "string", default: "300,1000" },
    /** Runs of each comparison; the figures are medians. */
    runs: { type: "string", default: "3" },
    /** Tenants with a host each, at most 254; 0 leaves them out. */
    hosts: { type: "string", default: "250" },
    latency: { type: "string", default: "0,200" },
    concurrency: { type: "string", default: "100" },
    /** Numbers of tenants between which memory is measured; an empty list leaves it out. */
    memory: { type: "string", default: "1000,5000" },
    /** Tenants of Terraform; 0 leaves it out. */
    terraform: { type: "string", default: "20" },
  },
});

const numbers = (list: string) => list.split(",").filter(Boolean).map(Number);

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-tenants-"));
  const progress = (text: string) => process.stderr.write(`${text}\n`);
  const concurrency = Number(options.concurrency);
  try {
    const requests = await recordSteps(folder);
    const comparisons: Comparison[] = [];
    const runs = Number(options.runs);
    for (const latencyMs of numbers(options.latency)) {
      for (const tenants of numbers(options.tenants)) {
        progress(`${tenants} tenants at ${latencyMs} ms`);
        const load = { tenants, hosts: 1, latencyMs, concurrency };
        comparisons.push(...(await compare(folder, load, requests, runs)));
      }
    }
    const hosts = Number(options.hosts);
    const ownHosts = { tenants: hosts, hosts, latencyMs: 0, concurrency };
    progress("a host for each tenant");
    const apart = hosts > 1 ? await compare(folder, ownHosts, requests, runs) : [];
    progress("synthesis");
    const synthesized = await synthesis(folder, 200, 5);
    const [few, many] = numbers(options.memory);
    progress("memory");
    const memory =
      few === undefined || many === undefined
        ? []
        : await memorySlopes(folder, few, many, concurrency);
    const memoryApart =
      hosts > 1 && memory.length > 0
        ? await memorySlopes(folder, Math.ceil(hosts / 4), hosts, concurrency, true)
        : [];
    progress("Terraform");
    const tenants = Number(options.terraform);
    const terraform =
      tenants > 0 && (await hasTerraform()) ? await besideTerraform(folder, tenants) : [];
    const machine = { node: process.version, processors: availableParallelism() };
    const figures = {
      machine,
      concurrency,
      emptyProgram: await emptyPrograms(folder),
      comparisons,
      margins: margins(comparisons),
      aHostForEach: apart,
      synthesis: synthesized,
      memory,
      memoryOfAHostForEach: memoryApart,
      terraform,
    };
    console.log(JSON.stringify(figures, undefined, 2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
