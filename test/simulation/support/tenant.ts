import { endpointFor } from "../../../src/api/endpoints";
import type { Release } from "../../../src/api/release";
import type { TransportRequest } from "../../../src/api/http/transport";
import { Console, type ConsoleResponse } from "../../../src/simulator";
import {
  firstConfiguration,
  nextConfiguration,
  RESOURCES,
  secondOf,
  stacksOf,
  type Configuration,
  type Place,
} from "./configuration";
import type { Dice } from "./dice";
import {
  entryOf,
  identity,
  isForeign,
  isOwn,
  KINDS,
  nameOf,
  outgoing,
  toItem,
  type Document,
  type Kind,
} from "./entries";
import type { Machine, Process } from "./machine";

const CALLS: Readonly<Record<Kind, readonly [read: string, replace: string]>> = {
  policies: ["getCompliancePolicies", "putCompliancePolicies"],
  registry: ["getRegistrySettings", "putRegistrySettings"],
  serverlessAutoDeploy: ["getServerlessAutoDeploy", "replaceServerlessAutoDeploy"],
};

/** The changes that plans have shown, by stack and address. */
export type PlannedChanges = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A broken promise. */
export type Report = (problem: string) => void;

/** A console with its stack, and what others do on it. */
export class Tenant {
  readonly console: Console;
  private readonly installed: readonly string[];
  configuration: Configuration;
  /** The names of all addresses of the console, the present one at the end. */
  readonly addresses: string[];
  /** True if somebody else has changed the console since the last look. */
  touched = false;
  /** The requests with effects that each process has made, with their stacks. */
  private readonly effects = new Map<Process, { stack: string; step: string }[]>();
  /** The changes that the plans of each process showed. */
  private readonly plans = new Map<Process, PlannedChanges>();
  /** The foreign entries that each process read for its plan, and last. */
  private readonly reads = new Map<Process, Map<Kind, { planned: string[]; last: string[] }>>();
  private foreign = 0;

  constructor(
    readonly name: string,
    private readonly machine: Machine,
    readonly release: Release,
    private readonly report: Report,
  ) {
    const clock = { now: () => new Date(machine.time) };
    this.configuration = firstConfiguration(machine.dice);
    // A scan is watched in pages of all containers: small ones would be most of the requests.
    const sizes = this.configuration.scans ? [undefined, 40] : [undefined, undefined, 1, 2, 3];
    const size = machine.dice.pick(sizes);
    const pages = size === undefined ? undefined : { size };
    this.console = new Console({ name, release, clock, seed: "simulation", pages });
    this.installed = this.console.policies().map(({ name }) => String(name));
    this.addresses = [name];
  }

  private get dice(): Dice {
    return this.machine.dice;
  }

  /** `PUT policies/compliance/container` */
  stepOf(method: string, path: string): string {
    return `${method} ${path.replace("/api/v1/", "").replace(/\?.*/, "")}`;
  }

  change(): void {
    this.configuration = nextConfiguration(this.dice, this.configuration);
  }

  /** The console gets another address, and answers at the earlier ones. */
  move(): void {
    this.addresses.push(`${this.name}-${this.addresses.length + 1}`);
  }

  /** The stacks by name, in the JSON syntax of Terraform. */
  stacks(place: Place = this): ReadonlyMap<string, Document> {
    return stacksOf(this.name, place, this.configuration);
  }

  /** A process has shown these changes, and may make them. */
  expect(process: Process, changes: PlannedChanges): void {
    this.plans.set(process, changes);
  }

  /** Reports whether a stack has changed the console in this process. */
  hasEffects(process: Process, stack: string): boolean {
    return this.effects.get(process)?.some((effect) => effect.stack === stack) ?? false;
  }

  /** Answers a request of a stack in a process, and checks what it does to the console. */
  async handle(
    request: TransportRequest,
    process: Process,
    stack: string,
    step: string,
  ): Promise<ConsoleResponse> {
    const before = this.console.data;
    const { method, path, headers, body } = request;
    const response = await this.console.handle({ method, path, headers, body });
    this.machine.note(`${this.name} answers ${response.status} to ${step}`);
    const endpoint = this.console.requests.at(-1)?.endpoint;
    const isDone = response.status < 300;
    for (const kind of KINDS) {
      const [read, replace] = CALLS[kind];
      // A list is as it was at its first page, or is read again.
      const isFirstPage = !/[?&]offset=/.test(path);
      if (endpoint === read && isDone && isFirstPage) this.noteRead(process, kind);
      if (endpoint === replace && isDone)
        this.checkReplacement(process, kind, before.collections[kind]);
    }
    const replaySafe = endpoint && endpointFor(endpoint, this.release)?.replaySafe;
    if (before !== this.console.data || replaySafe === false)
      this.checkEffect(process, { stack, step }, isDone && replaySafe === false);
    return response;
  }

  /** Another user changes a collection at once. */
  async edit(): Promise<void> {
    if (this.console.data.license === null) return;
    const kind = this.dice.pick(KINDS);
    const items = this.console.collection(kind);
    const foreign = items.filter((item) => isForeign(kind, item));
    const choice = this.dice.below(4);
    const name = `X${++this.foreign}`;
    const added = entryOf(kind, name, this.dice);
    const edited =
      choice < 2 || foreign.length === 0
        ? choice === 1
          ? [toItem(kind, added), ...items]
          : [...items, toItem(kind, added)]
        : items.filter((item) => item !== foreign[0]);
    this.machine.note(`somebody edits ${kind} of ${this.name}`);
    this.touched = true;
    await this.console.edit({ [kind]: edited.map(outgoing) });
  }

  /** Removes foreign entries from collections that the stack owns as a whole. */
  async makeRoom(): Promise<void> {
    for (const kind of KINDS) {
      if (this.configuration.collections[kind]?.ownership !== "exclusive") continue;
      const items = this.console.collection(kind).filter((item) => !isForeign(kind, item));
      await this.console.edit({ [kind]: items.map(outgoing) });
    }
  }

  /** Removes the entries that have names of the stack. */
  async removeOwn(): Promise<void> {
    for (const kind of KINDS) {
      const items = this.console.collection(kind).filter((item) => !isOwn(kind, item));
      await this.console.edit({ [kind]: items.map(outgoing) });
    }
  }

  /** All entries as they were given. The order of policies counts. */
  contents(): string {
    const all = KINDS.map((kind) => {
      const entries = this.console.collection(kind).map(identity);
      return [kind, ...(kind === "policies" ? entries : entries.sort())];
    });
    return JSON.stringify(all);
  }

  foreignOf(kind: Kind, items: readonly Document[] = this.console.collection(kind)): string[] {
    return items.filter((item) => isForeign(kind, item)).map(identity);
  }

  ownOf(kind: Kind): string[] {
    return this.console
      .collection(kind)
      .filter((item) => isOwn(kind, item))
      .map((item) => nameOf(kind, item));
  }

  /** The policies of an installed console that are gone. Only the stack can have removed them. */
  lostDefaults(): string[] {
    const present = new Set(this.console.policies().map(({ name }) => name));
    return this.installed.filter((name) => !present.has(name));
  }

  private noteRead(process: Process, kind: Kind): void {
    const reads = this.reads.get(process) ?? new Map<Kind, { planned: string[]; last: string[] }>();
    const last = this.foreignOf(kind);
    const planned = this.plans.has(process) ? (reads.get(kind)?.planned ?? []) : last;
    reads.set(kind, { planned, last });
    this.reads.set(process, reads);
  }

  private checkReplacement(process: Process, kind: Kind, before: readonly Document[]): void {
    const after = new Set(this.foreignOf(kind));
    const known = this.reads.get(process)?.get(kind);
    const lost = this.foreignOf(kind, before).filter((entry) => !after.has(entry));
    const plans = this.plans.get(process);
    const stacks = [this.name, secondOf(this.name)];
    const actions = stacks.flatMap((stack) => plans?.get(stack)?.get(RESOURCES[kind]) ?? []);
    const isShown = actions.length > 0;
    // The first write found none of these: only a snapshot that is not proved can have them.
    if (actions.includes("delete") && !this.wasShared.has(kind) && this.ownOf(kind).length > 0) {
      this.report(`${this.name}: a destroy restores ${this.ownOf(kind).join()} to ${kind}`);
    }
    if (!isShown) this.report(`${this.name}: ${kind} is written, and no plan showed it`);
    for (const entry of lost) {
      // Nobody can know an entry of the moment between the read and the write.
      if (known && !known.last.includes(entry)) continue;
      const exclusive = this.wasExclusive.has(kind);
      if (exclusive && known?.planned.includes(entry)) continue;
      const ownership = this.configuration.collections[kind]?.ownership ?? "not managed";
      this.report(
        `${this.name}: ${kind} (${ownership}) lost ${entry}; after: ${[...after].join()}; own: ${this.ownOf(kind).join()}`,
      );
    }
  }

  /** The collections that the stack owned as a whole, and those that it shared, at any time. */
  readonly wasExclusive = new Set<Kind>();
  readonly wasShared = new Set<Kind>();

  private checkEffect(
    process: Process,
    effect: { readonly stack: string; readonly step: string },
    isUnsafe: boolean,
  ): void {
    const { stack, step } = effect;
    const effects = this.effects.get(process) ?? [];
    const isRepeated = effects.some((one) => one.stack === stack && one.step === step);
    if (isUnsafe && isRepeated) this.report(`${stack}: ${step} is sent twice`);
    if (!this.plans.has(process)) this.report(`${stack}: ${step} before a plan`);
    if (![this.name, secondOf(this.name)].includes(stack)) {
      this.report(`${stack}: ${step} is sent to the console of ${this.name}`);
    }
    this.effects.set(process, [...effects, effect]);
  }
}
