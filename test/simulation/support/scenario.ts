import { createHash } from "node:crypto";
import { join } from "node:path";
import { RELEASES } from "../../../src/api/release";
import type { RunOptions } from "../../../src/cli/stacks/run-options";
import { parseShare } from "../../../src/fleet/rollout/share";
import { parseWaves } from "../../../src/fleet/rollout/wave-steps";
import { parseSyntax } from "../../../src/language/expressions/syntax-tree";
import { RESOURCES, secondOf, stateOf } from "./configuration";
import { Dice } from "./dice";
import { Disk } from "./disk";
import { KINDS } from "./entries";
import { Faults, Met } from "./faults";
import { FOLDER, Machine } from "./machine";
import { nameOfConsole } from "./network";
import { inWorlds, run, SECRETS, type Command, type RunRequest, type RunResult } from "./run";
import type { FoundDiagnostic } from "./run-output";
import { StateServer } from "./state-server";
import { Tenant } from "./tenant";

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

type Request = Omit<RunRequest, "machine" | "disk" | "states" | "tenants">;

interface StateFile {
  readonly resources?: readonly {
    readonly type: string;
    readonly instances: readonly { readonly attributes: object }[];
  }[];
}

/** An object may keep the name of an earlier address. */
function withoutConsole({ attributes }: { readonly attributes: object }): object {
  return { ...attributes, console: undefined };
}

const COLLECTIONS = new Set(Object.values(RESOURCES).map((address) => address.split(".")[0]));

/** A run that was stopped before its record has anything to go back from. */
const NOTHING_RECORDED = new Set(["No run in the log", "Nothing is recorded to roll back"]);

/** The folder of the records of runs. */
const RECORDS = "records";

class Scenario {
  private readonly disk = new Disk();
  private readonly states = new StateServer();
  private readonly tenants: readonly Tenant[];
  /** The tenant of each stack. */
  private readonly stacks: ReadonlyMap<string, Tenant>;
  /** States that could not be stored. */
  private readonly aside: { readonly path: string; readonly stack: string }[] = [];
  private hasLied = false;
  /** Syncs lied and the power was lost, or no disk had room: a run may also refuse what it finds. */
  private isUnproved = false;

  constructor(
    private readonly machine: Machine,
    private readonly met: Met,
    private readonly report: (problem: string) => void,
  ) {
    const { dice } = machine;
    const count = dice.pick([1, 1, 2, 3, 5]);
    this.tenants = Array.from({ length: count }, (_, at) => {
      return new Tenant(`tenant-${String(at + 1)}`, machine, dice.pick(RELEASES), report);
    });
    this.stacks = new Map(
      this.tenants.flatMap((tenant) => [...tenant.stacks().keys()].map((stack) => [stack, tenant])),
    );
  }

  async live(): Promise<void> {
    const { dice } = this.machine;
    this.synthesize();
    const runs = 1 + dice.below(4);
    for (let at = 0; at < runs; at++) {
      if (at > 0) this.prepare();
      if (dice.chance(0.15)) await this.swappedRun();
      await this.faultyRun();
    }
    if (dice.chance(0.3) && !this.isUnproved) await this.goBack();
    await this.heal();
  }

  private prepare(): void {
    const { dice } = this.machine;
    for (const tenant of this.tenants) {
      if (dice.chance(0.5)) tenant.change();
      if (dice.chance(0.05)) tenant.move();
    }
    this.synthesize();
    if (dice.chance(0.2)) this.machine.skew += 3_600_000 * (dice.below(49) - 24);
    this.machine.time += 60_000;
  }

  private async faultyRun(): Promise<void> {
    const { machine } = this;
    const { dice } = machine;
    this.edits();
    if (dice.chance(0.7)) await this.recover();
    this.disk.lies = dice.chance(0.04);
    this.hasLied ||= this.disk.lies;
    const others: Promise<RunResult>[] = [];
    if (dice.chance(0.15)) {
      machine.schedule(dice.below(1_500), () => {
        others.push(this.begin(this.faulty()));
      });
    }
    const results = [await this.run(this.faulty())];
    results.push(...(await machine.until(Promise.all(others))));
    await machine.drain();
    if (results.some(({ killed }) => killed) && dice.chance(this.disk.lies ? 1 : 0.3)) {
      machine.note("the power is lost");
      if (this.hasLied) this.isUnproved = true;
      this.disk.losePower(dice);
    }
    this.disk.lies = false;
  }

  /**
   * A run while the addresses of consoles are swapped. A stack whose state or journal knows its console
   * changes no other one: `Tenant.handle` reports each effect of a foreign stack.
   */
  private async swappedRun(): Promise<void> {
    await this.recover();
    const known = this.tenants.filter((tenant) =>
      [...tenant.stacks().keys()].every((stack) =>
        tenant.addresses.some((address) => this.knows(stack, address)),
      ),
    );
    if (known.length < 2) return;
    this.machine.note("consoles are swapped");
    const next = (tenant: Tenant) => known[(known.indexOf(tenant) + 1) % known.length] ?? tenant;
    this.synthesize((tenant) => (known.includes(tenant) ? next(tenant) : tenant));
    await this.faultyRun();
    this.synthesize();
  }

  /** Reports whether the state or the journal of a stack has the name of an address. */
  private knows(stack: string, address: string): boolean {
    const path = stateOf(stack);
    const files = [path, `${path}.journal`].map((file) => this.disk.at(file)?.content);
    return [this.states.stateOf(stack), ...files].some((text) =>
      text?.includes(`"${nameOfConsole(address)}"`),
    );
  }

  /** Any command, with faults. */
  private faulty(): Request {
    const { dice } = this.machine;
    const record = this.records().at(-1);
    const command =
      record !== undefined && dice.chance(0.1)
        ? "rollback"
        : dice.pick([
            "apply",
            ...(dice.chance(0.15) ? (["plan", "destroy"] as const) : []),
          ] as const);
    return {
      faults: new Faults(dice, this.met),
      command,
      file: record,
      options: {
        ...this.pace(),
        ...(dice.chance(0.4) && { runLog: `${RECORDS}/` }),
        ...(record !== undefined && dice.chance(0.3) && { resume: record }),
      },
      stopAfter: dice.chance(0.08) ? dice.below(2_000) : undefined,
    };
  }

  /** How many stacks change at a time, and after how many failures no further one does. */
  private pace(): Partial<RunOptions> {
    const { dice } = this.machine;
    const waves = dice.pick([undefined, "1,100%", "1,50%,100%"]);
    const parsed = waves === undefined ? undefined : parseWaves(waves);
    const failures = dice.pick([undefined, "0", "1", "2"]);
    const maxFailures = failures === undefined ? undefined : parseShare(failures);
    return {
      parallelism: dice.pick([10, 1, 3]),
      lockTimeout: dice.pick([0, 0, 500, 60_000]),
      ...(parsed && "waves" in parsed && { waves: parsed.waves }),
      ...(maxFailures && { maxFailures }),
    };
  }

  private async run(request: Request): Promise<RunResult> {
    const result = await this.machine.until(this.begin(request));
    await this.machine.drain();
    return result;
  }

  private async begin(request: Request): Promise<RunResult> {
    const { machine, disk, states, stacks: tenants } = this;
    machine.note(`run ${JSON.stringify({ ...request, faults: undefined })}`);
    const result = await run({ machine, disk, states, tenants, ...request });
    const { diagnostics, lines, results } = result.output;
    for (const [stack, status] of results) machine.note(`${stack} is ${status}`);
    for (const found of diagnostics) {
      const { severity, summary, detail, stacks } = found;
      machine.note(`${severity} ${stacks.join()} ${summary}: ${detail}`);
      this.noteAdvice(found);
    }
    this.checkBudget(result, request.options);
    this.checkNames(result);
    this.checkSecrets(lines);
    return result;
  }

  /** The records of runs, the last one at the end. */
  private records(): string[] {
    return this.disk.below(join(FOLDER, RECORDS)).map((path) => path.slice(FOLDER.length + 1));
  }

  /** Others change consoles during a run. */
  private edits(): void {
    const { dice } = this.machine;
    for (const tenant of this.tenants) {
      const count = dice.pick([0, 0, 1, 2]);
      for (let at = 0; at < count; at++) {
        this.machine.schedule(dice.below(3_000), () => tenant.edit());
      }
    }
  }

  /** A run with faults, perhaps resumed, goes back: consoles and states have what they had before. */
  private async goBack(): Promise<void> {
    const { dice } = this.machine;
    await this.settle();
    const before = this.tenants.map((tenant) => tenant.contents());
    const objects = this.collectionsInStates();
    const known = new Set(this.records());
    this.prepare();
    const runLog = `${RECORDS}/`;
    const faulty = (options: Partial<RunOptions>): Request => ({
      faults: new Faults(dice, this.met),
      command: "apply",
      options: { ...this.pace(), ...options },
    });
    await this.run(faulty({ runLog }));
    const record = this.records().find((name) => !known.has(name));
    if (record !== undefined) {
      const next = async (request: Request) => {
        await this.recover();
        return this.run(request);
      };
      if (dice.chance(0.5)) await next(faulty({ resume: record, runLog }));
      if (dice.chance(0.5)) await next({ ...faulty({}), command: "rollback", file: record });
      const back = await next({ ...this.quiet("rollback"), file: record });
      if (back.output.diagnostics.some(({ summary }) => NOTHING_RECORDED.has(summary))) return;
      this.expectSound("The rollback", back);
    }
    for (const [at, tenant] of this.tenants.entries()) {
      const after = tenant.contents();
      if (after !== before[at])
        this.report(`${tenant.name}: goes back to ${after}, not ${before[at] ?? ""}`);
    }
    const now = this.collectionsInStates();
    if (now !== objects) this.report(`the states go back to ${now}, not ${objects}`);
  }

  /** The collections of all states. */
  private collectionsInStates(): string {
    const found = [...this.stacks.keys()].map((stack) => {
      const bytes = this.states.stateOf(stack) ?? this.disk.at(stateOf(stack))?.content;
      const { resources = [] } = JSON.parse(bytes?.toString() ?? "{}") as StateFile;
      return resources
        .filter(({ type }) => COLLECTIONS.has(type))
        .map(({ type, instances }) => [stack, type, instances.map(withoutConsole)]);
    });
    return JSON.stringify(found);
  }

  private quiet(command: Command): Request {
    return { faults: new Faults(this.machine.dice, this.met, true), command };
  }

  /** Does what failed runs have advised: releases locks, and stores the states that were saved aside. */
  private async recover(): Promise<void> {
    this.states.unlockAll();
    for (const { path, stack } of this.aside.splice(0)) {
      await this.run({ ...this.quiet("state push"), file: path, options: { stack } });
      this.disk.remove(path);
    }
  }

  private noteAdvice({ summary, detail, stacks: [stack] }: FoundDiagnostic): void {
    if (summary !== "State could not be written" || stack === undefined) return;
    const [, path] = /The new state is in (\S+)\. Store it/.exec(detail) ?? [];
    if (path !== undefined) this.aside.push({ path, stack });
    else if (detail.includes("are in no file")) this.isUnproved = true;
  }

  /** A run without faults. */
  private async settle(): Promise<RunResult> {
    const { machine } = this;
    machine.note("all goes well");
    machine.time += 60_000;
    for (const tenant of this.tenants) await tenant.makeRoom();
    await this.recover();
    const applied = await this.run(this.quiet("apply"));
    return (await this.followAdvice(applied)) ? this.run(this.quiet("apply")) : applied;
  }

  /** The state explains the console after the next run without faults, and a destroy undoes it. */
  private async heal(): Promise<void> {
    const applied = await this.settle();
    if (this.isUnproved) {
      await this.run(this.quiet("destroy"));
      return;
    }
    this.expectSound("The run after the faults", applied);
    for (const tenant of this.tenants) this.expectConverged(tenant);
    const again = await this.run(this.quiet("plan"));
    this.expectSound("The plan after it", again);
    for (const [stack, changes] of again.output.changes) {
      const shown = [...changes].map(([address, action]) => `${action} ${address}`).join(", ");
      this.report(`${stack}: the plan after a complete run has ${shown}`);
    }
    const destroyed = await this.run(this.quiet("destroy"));
    this.expectSound("The destroy", destroyed);
    for (const tenant of this.tenants) this.expectGone(tenant);
    this.expectNoLeftovers();
  }

  /**
   * A run that ended between a write and its record leaves entries that another configuration takes
   * for those of others: it refuses them by name. The operator then removes them.
   */
  private async followAdvice({ output }: RunResult): Promise<boolean> {
    const refused = output.diagnostics.filter(({ summary }) =>
      summary.startsWith("Console has unmanaged "),
    );
    for (const stack of new Set(refused.flatMap(({ stacks }) => stacks))) {
      await this.stacks.get(stack)?.removeOwn();
    }
    return refused.length > 0;
  }

  private expectSound(what: string, { output }: RunResult): void {
    for (const { severity, summary, detail } of output.diagnostics) {
      if (severity === "error") this.report(`${what}: ${summary}: ${detail}`);
    }
    for (const stack of output.failed) this.report(`${what}: ${stack} is not complete`);
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

  private checkBudget({ output, process }: RunResult, options: Partial<RunOptions> = {}): void {
    const { maxFailures, waves } = options;
    if (!maxFailures && !waves) return;
    const allowed = maxFailures?.kind === "count" ? maxFailures.count : 0;
    const failures = output.failed.filter((stack) =>
      this.stacks.get(stack)?.hasEffects(process, stack),
    );
    // The stacks of a tenant may wait for each other, which makes them one unit.
    const units = new Set(failures.map((stack) => this.stacks.get(stack)));
    if (units.size > allowed + 1) {
      this.report(`${units.size} units failed after a write, and ${allowed} may fail`);
    }
  }

  /** A diagnostic names its stacks. */
  private checkNames({ output }: RunResult): void {
    for (const { summary, detail, stacks, construct_path: path = "" } of output.diagnostics) {
      const isNamed = stacks.length > 0 || /tenant-|records\//.test(`${path} ${detail}`);
      if (isNamed || summary === "Too many stacks failed") continue;
      this.report(`no stack is named by: ${summary}: ${detail}`);
    }
  }

  private checkSecrets(lines: readonly string[]): void {
    const texts: [string, string][] = [["the output", lines.join("\n")]];
    for (const [path, content] of this.disk.contents()) texts.push([path, content.toString()]);
    for (const [where, text] of texts) {
      for (const [name, secret] of Object.entries(SECRETS)) {
        if (text.includes(secret)) this.report(`${where} contains ${name}`);
      }
    }
  }

  private synthesize(placeOf: (tenant: Tenant) => Tenant = (tenant) => tenant): void {
    const stacks: Record<string, object> = {};
    for (const tenant of this.tenants) {
      for (const [name, configuration] of tenant.stacks(placeOf(tenant))) {
        const folder = `stacks/${name}`;
        this.disk.place(`${FOLDER}/cdktf.out/${folder}/cdk.tf.json`, JSON.stringify(configuration));
        stacks[name] = {
          name,
          constructPath: name,
          synthesizedStackPath: `${folder}/cdk.tf.json`,
          workingDirectory: folder,
          annotations: [],
          dependencies: name === secondOf(tenant.name) ? [tenant.name] : [],
        };
      }
      for (const kind of KINDS) {
        const ownership = tenant.configuration.collections[kind]?.ownership;
        if (ownership === "exclusive") tenant.wasExclusive.add(kind);
        else if (ownership) tenant.wasShared.add(kind);
      }
    }
    const manifest = { version: "0.21.0", stacks };
    this.disk.place(`${FOLDER}/cdktf.out/manifest.json`, JSON.stringify(manifest));
  }
}
