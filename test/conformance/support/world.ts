import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ManualClock,
  startSimulator,
  type Console,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/simulator";
import { PASSWORD, writeStacks, type StackJson } from "../../cli/stack-files";
import { place, type Synthesized } from "../../e2e/support/synthesized";
import { Names } from "./names";
import type { Seat } from "./seat";
import { CA_FILE, consoleUrl, FOLDER } from "./stacks";

/** Longer than a scan of the containers. */
const AFTER_SCAN = { seconds: 30 };

/** Both registries have the same providers. */
const REGISTRIES = ["registry.opentofu.org/", "registry.terraform.io/"] as const;

export interface WorldOptions extends Pick<SimulatorOptions, "release" | "tenants" | "faults"> {
  /** True for a newly installed console, without a user and a license. Default: false. */
  readonly fresh?: boolean;
}

/**
 * One or more consoles, a stack and its state. Two worlds with the same history are equal: their
 * clocks only advance with scans, which complete immediately.
 */
export class World {
  readonly folder: string;
  readonly outDir: string;
  #statePath: string;
  readonly #names = new Names();

  private constructor(
    readonly seat: Seat,
    private readonly simulator: Simulator,
  ) {
    this.folder = seat.folder;
    this.outDir = join(seat.folder, "cdktf.out");
    this.#statePath = join(seat.folder, "terraform.prod.tfstate");
  }

  /** Opens a world, and removes the files of an earlier case. */
  static async open(seat: Seat, { fresh = false, ...options }: WorldOptions): Promise<World> {
    for (const name of readdirSync(seat.folder)) {
      if (name !== "cdktf.out" && !name.startsWith(".")) {
        rmSync(join(seat.folder, name), { recursive: true, force: true });
      }
    }
    rmSync(join(stackOf(seat), "terraform.tfstate.d"), { recursive: true, force: true });
    for (const name of readdirSync(stackOf(seat))) {
      if (/\.tfvars(\.json)?$/.test(name)) rmSync(join(stackOf(seat), name));
    }
    const checkpoints = join(stackOf(seat), ".terraform/cdktf-console.checkpoints");
    rmSync(checkpoints, { recursive: true, force: true });
    const clock = new ManualClock();
    const simulator = await startSimulator({
      ...options,
      clock,
      seed: "conformance",
      ...(!fresh && { signedUp: { username: "admin", password: PASSWORD }, licensed: true }),
    });
    const world = new World(seat, simulator);
    for (const { console } of simulator.consoles) standardize(console, clock);
    world.select("default");
    return world;
  }

  /** Selects a workspace, as `terraform workspace select` does. */
  select(workspace: string): void {
    const stack = stackOf(this.seat);
    writeFileSync(join(stack, ".terraform/environment"), workspace);
    this.#statePath =
      workspace === "default"
        ? join(this.folder, "terraform.prod.tfstate")
        : join(stack, "terraform.tfstate.d", workspace, "terraform.tfstate");
  }

  /** The folder of the stack, in which Terraform runs. */
  get stackFolder(): string {
    return stackOf(this.seat);
  }

  /** The first console. */
  get console(): Console {
    return this.simulator.consoles[0].console;
  }

  get consoles(): readonly Console[] {
    return this.simulator.consoles.map(({ console }) => console);
  }

  /** Replaces the stack. */
  write(stack: StackJson | Synthesized): void {
    if (stack instanceof Map) {
      place(stack as Synthesized, this.folder, {
        url: this.simulator.consoles[0].url,
        caFile: this.simulator.caFile,
      });
      return;
    }
    const here = this.#places().reduce(
      (text, [there, name]) => text.replaceAll(name, there),
      JSON.stringify(stack),
    );
    writeStacks(this.folder, { prod: JSON.parse(here) as StackJson });
  }

  /** Replaces the addresses, paths and random values of this world in a text. */
  anonymous(text: string): string {
    const known = this.#places().reduce(
      (anonymous, [there, name]) => anonymous.replaceAll(there, name),
      text,
    );
    return this.#names.replace(known.replaceAll(...REGISTRIES));
  }

  /**
   * The state file without other stacks' outputs, which only Terraform stores, without lineage, serial, version and random IDs, and without resources that have
   * no instance, which Terraform keeps where a creation was refused. Sensitive paths and check
   * results, which have no order, are sorted. Undefined for an empty state: Terraform writes a file
   * for it, the executor does not.
   */
  state(): string | undefined {
    if (!existsSync(this.#statePath)) return undefined;
    const text = readFileSync(this.#statePath, "utf8");
    this.#names.learn(text);
    const state = this.anonymous(text)
      .replace(/"(lineage|terraform_version)": "[^"]*"/g, '"$1": "any"')
      .replace(/"serial": \d+/, '"serial": 0')
      // Terraform 1.15 writes it, also for resources without an identity.
      .replace(/,\n *"identity_schema_version": 0/g, "")
      .replace(
        / {4}\{\n {6}"mode": "data",\n {6}"type": "terraform_remote_state"[^]*?\n {4}\},?\n/g,
        "",
      )
      .replace(/ {4}\{\n(?: {6}"[^\n]*\n)* {6}"instances": \[\]\n {4}\},?\n/g, "")
      .replace(/\},\n {2}\]/g, "}\n  ]")
      .replace(/\[\n {2}\]/g, "[]")
      .replace(/"sensitive_attributes": (\[\n[^]*?\n {10}\])/g, (_, paths: string) => {
        return `"sensitive_attributes": ${sorted(paths)}`;
      })
      .replace(
        /("instances": \[\n)([^]*?)(\n {6}\])/g,
        (_, start: string, all: string, end: string) => {
          return start + inAnyOrder(all) + end;
        },
      )
      .replace(/("dependencies": )(\[[^\]]*\])/g, (_, start: string, all: string) => {
        return start + JSON.stringify((JSON.parse(all) as string[]).sort());
      })
      .replace(/"check_results": (\[[^]*\])/, (_, results: string) => {
        return `"check_results": ${sorted(results)}`;
      })
      .replace(/"private": "([^"]*)"/g, (_, encoded: string) => {
        const decoded = Buffer.from(encoded, "base64").toString("utf8");
        return `"private": ${this.anonymous(decoded)}`;
      });
    // Terraform ends the file with a line break, OpenTofu does not.
    return state.includes('"outputs": {},\n  "resources": [],') ? undefined : state.trimEnd();
  }

  /** The IDs of the objects in the state that are deposed, by their keys. */
  deposed(): ReadonlyMap<string, string> {
    if (!existsSync(this.#statePath)) return new Map();
    const { resources } = JSON.parse(readFileSync(this.#statePath, "utf8")) as {
      resources: { instances: { deposed?: string; attributes: { id: string } }[] }[];
    };
    const deposed = resources
      .flatMap(({ instances }) => instances)
      .flatMap(({ deposed: key, attributes }): [string, string][] =>
        key === undefined ? [] : [[key, attributes.id]],
      );
    return new Map(deposed);
  }

  /** The names of the outputs in the state. */
  outputs(): readonly string[] {
    if (!existsSync(this.#statePath)) return [];
    const { outputs } = JSON.parse(readFileSync(this.#statePath, "utf8")) as { outputs: object };
    return Object.keys(outputs);
  }

  /**
   * The data of the consoles, without their keys. Times of changes are left out: a policy that is
   * written beside a scan is changed before or after it.
   */
  contents(): readonly unknown[] {
    return this.consoles.map(({ data }) => ({
      ...data,
      collections: Object.entries(data.collections).map(([kind, items]) => [
        kind,
        items.map((item) => ("modified" in item ? { ...item, modified: "any" } : item)),
      ]),
      users: [...data.users.keys()],
      keys: [],
    }));
  }

  /** The requests since the last call that may have had an effect, sorted. */
  writes(): readonly string[] {
    return this.consoles
      .flatMap(({ name, requests }) =>
        requests
          .splice(0)
          .filter(
            ({ method, path }) =>
              !(method === "GET" ? !path.endsWith("/scan") : path.includes("/authenticate")),
          )
          .map(({ method, path, status }) => `${name} ${method} ${path} ${status}`),
      )
      .sort();
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  /** The locations in this world, with their placeholders in stacks. */
  #places(): readonly (readonly [string, string])[] {
    return [
      ...this.simulator.consoles.map(({ url }, index) => [url, consoleUrl(index + 1)] as const),
      [this.simulator.caFile, CA_FILE],
      [this.folder, FOLDER],
    ];
  }
}

/** The folder of the stack in a seat. */
function stackOf({ folder }: Seat): string {
  return join(folder, "cdktf.out/stacks/prod");
}

/** Completes scans immediately, and keeps the random port out of documents. */
function standardize(console: Console, clock: ManualClock): void {
  const handle = console.handle.bind(console);
  console.handle = async (request) => {
    const headers = { ...request.headers, host: "console.invalid" };
    const response = await handle({ ...request, headers });
    if (request.path.endsWith("/scan")) clock.advance(AFTER_SCAN);
    return response;
  };
}

/** Sorts instances with both kinds of keys, and deposed ones, which Terraform writes in random order. */
function inAnyOrder(instances: string): string {
  const isMixed = instances.includes('"index_key": "') && /"index_key": \d/.test(instances);
  if (!isMixed && !/"deposed"[^]*"deposed"/.test(instances)) return instances;
  const each = instances.split(/,\n(?= {8}\{)/);
  return each.sort().join(",\n");
}

function sorted(array: string): string {
  const elements = (JSON.parse(array) as unknown[]).map((one) => {
    return JSON.stringify(one, (member, value: unknown) =>
      member === "objects" && Array.isArray(value) ? value.map(asText).sort() : value,
    );
  });
  return `[${elements.sort().join()}]`;
}

function asText(value: unknown): string {
  return JSON.stringify(value);
}
