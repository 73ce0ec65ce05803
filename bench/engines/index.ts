/**
 * Plan and apply by each engine, as multiples of `terraform plan` of one `terraform_data` in the same
 * run. Prints JSON.
 *
 *   npm run bench:engines
 *   npm run bench:engines -- --policies 20 --tenants 0 --runs 3
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cli, hasTerraform, node, run, withConsoles, type Served } from "../command";
import { median, time } from "../pairs";
import { PASSWORD, writeStacks, writeTerraformData } from "./stacks";

const { values: options } = parseArgs({
  options: {
    policies: { type: "string", default: "20,200" },
    /** Stacks of one run by `--engine terraform`; 0 leaves them out. */
    tenants: { type: "string", default: "100" },
    runs: { type: "string", default: "7" },
  },
});

const env = {
  ...process.env,
  CONSOLE_PASSWORD: PASSWORD,
  TF_VAR_CONSOLE_PASSWORD: PASSWORD,
  CHECKPOINT_DISABLE: "1",
  TF_CLI_CONFIG_FILE: "/dev/null",
};

/** Commands in the order of a measurement, by their names in the result. */
type Commands = Readonly<Record<"plan" | "apply" | "destroy", () => Promise<unknown>>>;

const ENGINES = ["terraform with our provider", "--engine terraform", "embedded"] as const;
const SIGNED_UP = ["--signed-up", `admin:${PASSWORD}`, "--licensed"];

async function main(): Promise<void> {
  if (!(await hasTerraform())) throw new Error("terraform is not on PATH");
  const folder = await mkdtemp(join(tmpdir(), "bench-engines-"));
  const runs = Number(options.runs);
  const base = join(folder, "terraform-data");
  writeTerraformData(base);
  await run("terraform", ["init", "-input=false"], { cwd: base, env });
  const unit = () => time(() => run("terraform", ["plan", "-input=false"], { cwd: base, env }));
  try {
    const comparisons = [];
    for (const policies of options.policies.split(",").map(Number)) {
      progress(`${policies} policies`);
      comparisons.push(
        ...(await comparePolicies(join(folder, String(policies)), policies, runs, unit)),
      );
    }
    const tenants = Number(options.tenants);
    progress(`${tenants} tenants`);
    const many = tenants === 0 ? [] : [await manyTenants(join(folder, "many"), tenants, unit)];
    const machine = { node: process.version, processors: availableParallelism() };
    console.log(JSON.stringify({ machine, runs, comparisons, many }, undefined, 2));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Plans and applies with each engine, in turn, so that a machine whose speed drifts spoils no ratio. */
async function comparePolicies(
  folder: string,
  policies: number,
  runs: number,
  unit: () => Promise<number>,
) {
  return withConsoles(["--tenants", String(ENGINES.length), ...SIGNED_UP], async (consoles) => {
    const found = new Map<string, number[]>();
    const places = await Promise.all(
      ENGINES.map((_, index) => prepare(join(folder, String(index)), consoles, index, policies)),
    );
    for (let turn = -1; turn < runs; turn++) {
      const one = await unit();
      for (const [index, engine] of ENGINES.entries()) {
        const { plan, apply, destroy } = commandsOf(
          engine,
          places[index] ?? "",
          consoles[index]?.name ?? "",
        );
        const measured = { plan: await time(plan), apply: await time(apply) };
        await destroy();
        // The first turn warms up.
        if (turn < 0) continue;
        for (const [name, ms] of Object.entries(measured)) {
          const key = JSON.stringify({ policies, command: name, engine });
          found.set(key, [...(found.get(key) ?? []), ms / one]);
        }
      }
    }
    return [...found].map(([key, ratios]) => ({
      ...(JSON.parse(key) as object),
      ratio: rounded(median(ratios)),
      least: rounded(Math.min(...ratios)),
    }));
  });
}

/** Writes the stack of a console, and initializes its folder with the installed provider. */
async function prepare(
  folder: string,
  consoles: readonly Served[],
  index: number,
  policies: number,
): Promise<string> {
  const outDir = writeStacks(folder, consoles.slice(index, index + 1), policies);
  const cwd = join(outDir, "stacks", consoles[index]?.name ?? "");
  await node([cli, "provider", "install", "--dir", cwd], { cwd, env });
  await run("terraform", ["init", "-input=false"], { cwd, env });
  return outDir;
}

function commandsOf(engine: (typeof ENGINES)[number], outDir: string, stack: string): Commands {
  if (engine === "terraform with our provider") {
    const cwd = join(outDir, "stacks", stack);
    const terraform = (...args: string[]) =>
      run("terraform", [...args, "-input=false"], { cwd, env });
    return {
      plan: () => terraform("plan"),
      apply: () => terraform("apply", "-auto-approve"),
      destroy: () => terraform("destroy", "-auto-approve"),
    };
  }
  const name = engine === "embedded" ? "embedded" : "terraform";
  const ours = (...args: string[]) =>
    node([cli, ...args, "--out-dir", outDir, "--engine", name], { cwd: outDir, env });
  return {
    plan: () => ours("plan"),
    apply: () => ours("apply", "--auto-approve"),
    destroy: () => ours("destroy", "--auto-approve"),
  };
}

/** One plan of many stacks by `--engine terraform`, after an `init` that is not counted. */
async function manyTenants(folder: string, tenants: number, unit: () => Promise<number>) {
  return withConsoles(["--tenants", String(tenants), ...SIGNED_UP], async (consoles) => {
    const outDir = writeStacks(folder, consoles, 2);
    const plan = () =>
      node([cli, "plan", "--out-dir", outDir, "--engine", "terraform"], { cwd: folder, env });
    await plan();
    const before = await unit();
    const ms = await time(plan);
    const one = (before + (await unit())) / 2;
    const eachRatio = rounded(ms / one / tenants);
    return { tenants, command: "plan", engine: "--engine terraform", eachRatio };
  });
}

const rounded = (ratio: number) => Math.round(ratio * 100) / 100;

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
