import { endpointFor } from "../../../src/api/endpoints";
import type { Release } from "../../../src/api/release";
import type { TransportRequest } from "../../../src/api/http/transport";
import { Console, type ConsoleResponse } from "../../../src/simulator";
import type { Dice } from "./dice";
import type { Machine, Process } from "./machine";
import { addressOf } from "./network";

export type Ownership = "exclusive" | "prefix" | "suffix" | "shared";

/** The collections of a stack, with the names that only the stack uses, and those of others. */
export const KINDS = ["policies", "registry", "serverlessAutoDeploy"] as const;
export type Kind = (typeof KINDS)[number];

const RESOURCES: Readonly<Record<Kind, string>> = {
  policies: "cwp_compliance_policy_set.policies",
  registry: "cwp_registry_scan.registry",
  serverlessAutoDeploy: "cwp_serverless_auto_deploy.auto",
};

const CALLS: Readonly<Record<Kind, readonly [read: string, replace: string]>> = {
  policies: ["getCompliancePolicies", "putCompliancePolicies"],
  registry: ["getRegistrySettings", "putRegistrySettings"],
  serverlessAutoDeploy: ["getServerlessAutoDeploy", "replaceServerlessAutoDeploy"],
};

type Document = Readonly<Record<string, unknown>>;

/** The configuration of a tenant's stack. */
export interface Configuration {
  readonly collections: Partial<
    Record<Kind, { readonly ownership: Ownership; readonly entries: readonly Document[] }>
  >;
  readonly input: number;
  readonly scans: boolean;
}

/** A broken promise. */
export type Report = (problem: string) => void;

/** A console with its stack, and what others do on it. */
export class Tenant {
  readonly console: Console;
  private readonly installed: readonly string[];
  configuration: Configuration;
  /** True if somebody else has changed the console since the last look. */
  touched = false;
  /** The requests with effects that each process has made. */
  readonly effects = new Map<Process, string[]>();
  /** The changes that the plan of each process showed, by resource. */
  readonly plans = new Map<Process, ReadonlyMap<string, string>>();
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
    this.console = new Console({ name, release, clock, seed: "simulation" });
    this.installed = this.console.policies().map(({ name }) => String(name));
    this.configuration = firstConfiguration(machine.dice);
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

  /** The configuration in the JSON syntax of Terraform. */
  stack(): Document {
    const { collections, input, scans } = this.configuration;
    const blocks = KINDS.flatMap((kind) => {
      const collection = collections[kind];
      if (!collection) return [];
      const [type = "", name = ""] = RESOURCES[kind].split(".");
      const { ownership, entries } = collection;
      const body = {
        ...(kind !== "serverlessAutoDeploy" && { ownership }),
        [MEMBERS[kind]]: entries,
        depends_on: ["cwp_license.license"],
      };
      return [[type, { [name]: body }] as const];
    });
    const scan = {
      poll_interval: 5,
      triggers: { input: String(input) },
      depends_on: ["cwp_license.license"],
    };
    return {
      terraform: {
        backend: { local: { path: `/run/terraform.${this.name}.tfstate` } },
        required_providers: {
          cwp: { source: "cdktf-console/cwp" },
          null: { source: "null" },
        },
      },
      provider: {
        cwp: [
          {
            base_url: addressOf(this.name),
            release: this.release,
            username: "admin",
            password: "${var.CONSOLE_PASSWORD}",
          },
        ],
      },
      variable: {
        CONSOLE_PASSWORD: { type: "string", sensitive: true, ephemeral: true },
        CONSOLE_LICENSE_KEY: { type: "string", sensitive: true, ephemeral: true },
      },
      resource: {
        cwp_bootstrap: { bootstrap: { wait_timeout: 60 } },
        cwp_license: {
          license: { key: "${var.CONSOLE_LICENSE_KEY}", depends_on: ["cwp_bootstrap.bootstrap"] },
        },
        ...Object.fromEntries(blocks),
        ...(scans && { cwp_container_scan: { scan } }),
        null_resource: { null: { triggers: { input: String(input) } } },
        terraform_data: { data: { input } },
      },
      output: { input: { value: input } },
    };
  }

  /** Answers a request of a process, and checks what it does to the console. */
  async handle(
    request: TransportRequest,
    process: Process,
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
      if (endpoint === read && isDone) this.noteRead(process, kind);
      if (endpoint === replace && isDone)
        this.checkReplacement(process, kind, before.collections[kind]);
    }
    const replaySafe = endpoint && endpointFor(endpoint, this.release)?.replaySafe;
    if (before !== this.console.data || replaySafe === false)
      this.checkEffect(process, step, isDone && replaySafe === false);
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
    const isShown = this.plans.get(process)?.has(RESOURCES[kind]) === true;
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

  /** The collections that the stack owned as a whole at any time. */
  readonly wasExclusive = new Set<Kind>();

  private checkEffect(process: Process, step: string, isUnsafe: boolean): void {
    const effects = this.effects.get(process) ?? [];
    if (isUnsafe && effects.includes(step)) this.report(`${this.name}: ${step} is sent twice`);
    if (!this.plans.has(process)) this.report(`${this.name}: ${step} before a plan`);
    this.effects.set(process, [...effects, step]);
  }
}

const MEMBERS: Readonly<Record<Kind, string>> = {
  policies: "policies",
  registry: "specifications",
  serverlessAutoDeploy: "specs",
};

const OWNERSHIPS: Readonly<Record<Kind, readonly Ownership[]>> = {
  policies: ["prefix", "suffix", "exclusive"],
  registry: ["shared", "exclusive"],
  serverlessAutoDeploy: ["exclusive"],
};

function firstConfiguration(dice: Dice): Configuration {
  const kinds = KINDS.filter((kind) => kind === "policies" || dice.chance(0.4));
  const collections = kinds.map((kind) => {
    const ownership = dice.pick(OWNERSHIPS[kind]);
    return [kind, { ownership, entries: entriesOf(kind, dice) }] as const;
  });
  return { collections: Object.fromEntries(collections), input: 1, scans: dice.chance(0.2) };
}

function nextConfiguration(dice: Dice, before: Configuration): Configuration {
  const collections = KINDS.flatMap((kind) => {
    const present = before.collections[kind];
    if (!present) return [];
    const ownership = dice.chance(0.1) ? dice.pick(OWNERSHIPS[kind]) : present.ownership;
    const entries = dice.chance(0.6) ? entriesOf(kind, dice) : present.entries;
    return dice.chance(0.05) ? [] : [[kind, { ownership, entries }] as const];
  });
  const input = before.input + dice.below(2);
  return { ...before, collections: Object.fromEntries(collections), input };
}

function entriesOf(kind: Kind, dice: Dice): readonly Document[] {
  const names = dice.some(["P1", "P2", "P3", "P4"], 0.5);
  const chosen = names.length === 0 ? ["P1"] : dice.chance(0.3) ? names.reverse() : names;
  return chosen.map((name) => entryOf(kind, name, dice));
}

/** An entry in the form of a stack. */
function entryOf(kind: Kind, name: string, dice: Dice): Document {
  switch (kind) {
    case "policies":
      return { name, checks: { "41": dice.chance(0.5) }, disabled: dice.chance(0.2) };
    case "registry":
      return {
        registry: "registry.example.com",
        repository: name,
        tag: "*",
        cap: 1 + dice.below(3),
      };
    case "serverlessAutoDeploy":
      return { name, credential_id: dice.pick(["aws-1", "aws-2"]) };
  }
}

/** The entry as the API has it. */
function toItem(kind: Kind, entry: Document): Document {
  if (kind === "policies") {
    const { checks, ...rest } = entry;
    const block = Object.entries(checks as object).map(([id, blocks]) => ({
      id: Number(id),
      block: Boolean(blocks),
    }));
    const all = ["*"];
    const resources = {
      hosts: all,
      images: all,
      labels: all,
      containers: all,
      namespaces: all,
      accountIDs: all,
    };
    return { ...rest, resources, condition: { vulnerabilities: block } };
  }
  const { credential_id, ...rest } = entry;
  return credential_id === undefined ? rest : { ...rest, credentialID: credential_id };
}

function nameOf(kind: Kind, item: Document): string {
  return String(kind === "registry" ? item.repository : item.name);
}

const isForeign = (kind: Kind, item: Document) => /^X\d/.test(nameOf(kind, item));
const isOwn = (kind: Kind, item: Document) => /^P\d/.test(nameOf(kind, item));

/** Without what the console sets itself. */
function outgoing(item: Document): Document {
  const own = Object.entries(item).filter(([name]) => name !== "modified" && name !== "owner");
  return Object.fromEntries(own);
}

/** The members that a foreign entry was given. The console adds others. */
function identity({ name, repository, cap, credentialID, disabled, condition }: Document): string {
  const credential = credentialID === "" ? undefined : credentialID;
  return JSON.stringify({ name, repository, cap, credential, disabled, condition });
}
