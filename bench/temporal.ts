/**
 * Measures a first apply of many tenants by workers on Temporal beside that of one process.
 *
 *   npx tsx test/temporal/install.ts && npm run build && npx tsx bench/temporal.ts TENANTS LATENCY WORKERS…
 */
import { readFileSync } from "node:fs";
import type { Running } from "../test/e2e/support/bundle";
import { Networks } from "../test/temporal/networks";

const BUDGET = ["--max-failures", "25%", "--auto-approve"];

interface Figures {
  readonly seconds: number;
  /** Seconds of CPU of the processes that apply. */
  readonly cpu: number;
}

/** Seconds of CPU that a process has used, all threads included. Linux counts hundredths. */
function cpuOf({ child: { pid } }: Running): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

async function measure(tenants: number, latency: number, workers: number): Promise<Figures> {
  const networks = await Networks.open({ tenants, latency });
  try {
    const processes: Running[] = [];
    for (let at = 0; at < workers; at++) processes.push(await networks.worker("all"));
    const before = processes.map(cpuOf).reduce((sum, one) => sum + one, 0);
    const on = workers === 0 ? [] : ["--on", "temporal", "--queue-by", "pool"];
    const start = performance.now();
    const applying = networks.fleet.start("apply", ...on, ...BUDGET);
    if (workers === 0) processes.push(applying);
    let cpu = 0;
    const look = setInterval(() => {
      try {
        cpu = processes.map(cpuOf).reduce((sum, one) => sum + one, 0) - before;
      } catch {
        // The process has ended.
      }
    }, 100);
    const { code, out, err } = await applying.ended;
    clearInterval(look);
    if (code !== 0) throw new Error(`exit code ${code}: ${out}\n${err}`);
    return { seconds: (performance.now() - start) / 1000, cpu };
  } finally {
    await networks.close();
  }
}

async function main([tenants = "1000", latency = "50", ...workers]: readonly string[]) {
  const figures = (count: number) => measure(Number(tenants), Number(latency), count);
  const one = await figures(0);
  /** Prints multiples of what one process takes. */
  const print = (name: string, { seconds, cpu }: Figures) => {
    const ratios = `wall ${(seconds / one.seconds).toFixed(2)}, CPU ${(cpu / one.cpu).toFixed(2)}`;
    console.log(`${name}: ${ratios} (${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, now)`);
  };
  print("one process", one);
  for (const count of workers.length === 0 ? [1, 2, 4] : workers.map(Number)) {
    print(`${count} workers`, await figures(count));
  }
}

main(process.argv.slice(2)).catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
