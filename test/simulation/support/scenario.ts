import { createHash } from "node:crypto";
import { RELEASES } from "../../../src/api/release";
import type { Diagnostic } from "../../../src/core/diagnostics";
import { hasChanges } from "../../../src/runtime";
import { parseSyntax } from "../../../src/runtime/expressions/syntax-tree";
import { Dice } from "./dice";
import { Disk } from "./disk";
import { Faults, Met } from "./faults";
import { Machine } from "./machine";
import { failed, inWorlds, run, SECRETS, type RunRequest, type RunResult } from "./run";
import { KINDS, Tenant } from "./tenant";

/** The life of one world. */
export interface Outcome {
  /** The promises that were broken; none in a sound world. */
  readonly problems: readonly string[];
  readonly trace: readonly string[];
  readonly digest: string;
  readonly choices: readonly number[];
}

/** Lives through a world: runs of the program with faults, then one without, then a destroy. */
export async function simulate(
  source: number | readonly number[],
  met = new Met(),
): Promise<Outcome> {
  await (warm ??= warmUp());
  return live(source, met);
}

/** Loads the modules that are loaded when they are needed, which takes real time. */
async function warmUp(): Promise<void> {
  await parseSyntax("1", "code");
  for (const seed of [1, 2, 3]) await live(seed, new Met());
}

let warm: Promise<void> | undefined;

async function live(source: number | readonly number[], met: Met): Promise<Outcome> {
  const dice = new Dice(source);
  const machine = new Machine(dice);
  const problems: string[] = [];
  const report = (problem: string) => {
    machine.note(`PROBLEM ${problem}`);
    problems.push(problem);
  };
  try {
    await inWorlds(machine, () => new Scenario(machine, met, report).live());
  } catch (cause) {
    report(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  const digest = createHash("sha256").update(machine.trace.join("\n")).digest("hex");
  return { problems, trace: machine.trace, digest, choices: dice.choices };
}

type Request = Omit<RunRequest, "machine" | "disk" | "tenants">;

class Scenario {
  private readonly disk = new Disk();
  private readonly tenants: ReadonlyMap<string, Tenant>;
  /** Syncs have lied, and the power was lost: a run may also refuse what it finds. */
  private isUnproved = false;

  constructor(
    private readonly machine: Machine,
    private readonly met: Met,
    private readonly report: (problem: string) => void,
  ) {
    const { dice } = machine;
    const count = dice.pick([1, 1, 2, 3, 5]);
    const names = Array.from({ length: count }, (_, at) => `tenant-${String(at + 1)}`);
    this.tenants = new Map(
      names.map((name) => [name, new Tenant(name, machine, dice.pick(RELEASES), report)]),
    );
  }

  async live(): Promise<void> {
    const { dice } = this.machine;
    this.synthesize();
    const runs = 1 + dice.below(4);
    for (let at = 0; at < runs; at++) {
      if (at > 0) this.prepare();
      await this.faultyRun();
    }
    await this.heal();
  }

  private prepare(): void {
    const { dice } = this.machine;
    for (const tenant of this.tenants.values()) if (dice.chance(0.5)) tenant.change();
    this.synthesize();
    if (dice.chance(0.2)) this.machine.skew += 3_600_000 * (dice.below(49) - 24);
    this.machine.time += 60_000;
  }

  private async faultyRun(): Promise<void> {
    const { machine, met } = this;
    const { dice } = machine;
    this.edits();
    const request = () => ({
      faults: new Faults(dice, met),
      mode: dice.chance(0.08) ? ("destroy" as const) : ("normal" as const),
      dry: dice.chance(0.08),
      parallelism: dice.pick([10, 1, 3]),
      allowedFailures: dice.pick([Number.POSITIVE_INFINITY, 0, 1, 2]),
      waves: dice.pick([undefined, "1,100%", "1,50%,100%"]),
      lockWaitMs: dice.pick([0, 0, 500, 60_000]),
      stopAfter: dice.chance(0.08) ? dice.below(2_000) : undefined,
    });
    this.disk.lies = dice.chance(0.04);
    const others: Promise<RunResult>[] = [];
    if (dice.chance(0.15)) {
      machine.schedule(dice.below(1_500), () => {
        others.push(this.begin(request()));
      });
    }
    const results = [await this.run(request())];
    results.push(...(await machine.until(Promise.all(others))));
    await machine.drain();
    if (results.some(({ killed }) => killed) && dice.chance(this.disk.lies ? 1 : 0.3)) {
      machine.note("the power is lost");
      if (this.disk.lies) this.isUnproved = true;
      this.disk.losePower(dice);
    }
    this.disk.lies = false;
  }

  private async run(request: Request): Promise<RunResult> {
    const result = await this.machine.until(this.begin(request));
    await this.machine.drain();
    return result;
  }

  private async begin(request: Request): Promise<RunResult> {
    const { machine, disk, tenants } = this;
    machine.note(`run ${JSON.stringify({ ...request, faults: undefined })}`);
    const result = await run({ machine, disk, tenants, ...request });
    for (const { severity, summary, detail, address } of result.diagnostics) {
      machine.note(`${severity} ${address ?? ""} ${summary}: ${detail}`);
    }
    this.checkBudget(result, request.allowedFailures);
    this.checkSecrets(result.diagnostics);
    return result;
  }

  /** Others change consoles during a run. */
  private edits(): void {
    const { dice } = this.machine;
    for (const tenant of this.tenants.values()) {
      const count = dice.pick([0, 0, 1, 2]);
      for (let at = 0; at < count; at++) {
        this.machine.schedule(dice.below(3_000), () => tenant.edit());
      }
    }
  }

  /** The state explains the console after the next run without faults, and a destroy undoes it. */
  private async heal(): Promise<void> {
    const { machine, met } = this;
    machine.note("from here on all goes well");
    machine.time += 60_000;
    const quiet = () => ({ faults: new Faults(machine.dice, met, true) });
    for (const tenant of this.tenants.values()) await tenant.makeRoom();
    if (this.isUnproved) {
      await this.run(quiet());
      await this.run({ ...quiet(), mode: "destroy" });
      return;
    }
    let applied = await this.run(quiet());
    if (await this.followAdvice(applied)) applied = await this.run(quiet());
    this.expectSound("The run after the faults", applied);
    for (const tenant of this.tenants.values()) this.expectConverged(tenant);
    const again = await this.run({ ...quiet(), dry: true });
    this.expectSound("The plan after it", again);
    for (const plan of again.plans.filter(hasChanges)) {
      const changes = plan.changes.filter(({ action }) => action !== "no-op");
      this.report(
        `${plan.stack}: the plan after a complete run has ${changes.map(({ address, action }) => `${action} ${address}`).join(", ")}`,
      );
    }
    const destroyed = await this.run({ ...quiet(), mode: "destroy" });
    this.expectSound("The destroy", destroyed);
    for (const tenant of this.tenants.values()) this.expectGone(tenant);
    this.expectNoLeftovers();
  }

  /**
   * A run that ended between a write and its record leaves entries that another configuration takes
   * for those of others: it refuses them by name. The operator then removes them.
   */
  private async followAdvice({ applied }: RunResult): Promise<boolean> {
    const refused = applied.filter(({ diagnostics }) =>
      diagnostics.some(({ summary }) => summary.startsWith("Console has unmanaged ")),
    );
    for (const { stack } of refused) await this.tenants.get(stack)?.removeOwn();
    return refused.length > 0;
  }

  private expectSound(what: string, result: RunResult): void {
    for (const { severity, summary, detail } of result.diagnostics) {
      if (severity === "error") this.report(`${what}: ${summary}: ${detail}`);
    }
    for (const { stack } of failed(result)) this.report(`${what}: ${stack} is not complete`);
  }

  private expectConverged(tenant: Tenant): void {
    for (const kind of KINDS) {
      const collection = tenant.configuration.collections[kind];
      if (!collection) continue;
      const wanted = collection.entries.map((entry) => String(entry.repository ?? entry.name));
      const found = tenant.ownOf(kind);
      if ([...wanted].sort().join() !== [...found].sort().join()) {
        this.report(`${tenant.name}: ${kind} is ${found.join()}, not ${wanted.join()}`);
      }
    }
  }

  private expectGone(tenant: Tenant): void {
    for (const kind of KINDS) {
      const left = tenant.ownOf(kind);
      if (left.length > 0) this.report(`${tenant.name}: the destroy leaves ${left.join()}`);
    }
    for (const name of tenant.lostDefaults()) {
      this.report(`${tenant.name}: the destroy does not restore ${name}`);
    }
  }

  private expectNoLeftovers(): void {
    for (const path of this.disk.contents().keys()) {
      if (/\.lock$|\.journal$|\/\.[^/]*\.tmp$/.test(path)) this.report(`${path} is left over`);
    }
  }

  private checkBudget(result: RunResult, allowed = Number.POSITIVE_INFINITY): void {
    const failures = failed(result).filter(({ stack }) =>
      this.tenants.get(stack)?.effects.has(result.process),
    );
    if (failures.length > allowed + 1) {
      this.report(`${failures.length} stacks failed after a write, and ${allowed} may fail`);
    }
  }

  private checkSecrets(diagnostics: readonly Diagnostic[]): void {
    const texts: [string, string][] = [["a diagnostic", JSON.stringify(diagnostics)]];
    for (const [path, content] of this.disk.contents()) texts.push([path, content.toString()]);
    for (const [where, text] of texts) {
      for (const [name, secret] of Object.entries(SECRETS)) {
        if (text.includes(secret)) this.report(`${where} contains ${name}`);
      }
    }
  }

  private synthesize(): void {
    const stacks: Record<string, object> = {};
    for (const tenant of this.tenants.values()) {
      const { name } = tenant;
      const folder = `stacks/${name}`;
      this.disk.place(`/run/cdktf.out/${folder}/cdk.tf.json`, JSON.stringify(tenant.stack()));
      stacks[name] = {
        name,
        constructPath: name,
        synthesizedStackPath: `${folder}/cdk.tf.json`,
        workingDirectory: folder,
        annotations: [],
        dependencies: [],
      };
      for (const kind of KINDS) {
        const ownership = tenant.configuration.collections[kind]?.ownership;
        if (ownership === "exclusive") tenant.wasExclusive.add(kind);
      }
    }
    const manifest = { version: "0.21.0", stacks };
    this.disk.place("/run/cdktf.out/manifest.json", JSON.stringify(manifest));
  }
}
