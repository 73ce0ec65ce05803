import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
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

/** Later than any pass over the containers takes. */
const AFTER_SCAN = { seconds: 30 };

export interface WorldOptions extends Pick<SimulatorOptions, "release" | "tenants" | "faults"> {
  /** Whether the console is as installed, without a user and a license. Default: false. */
  readonly fresh?: boolean;
}

/**
 * What an engine works on: a console, or several, a stack and its state. Two worlds that the same
 * was done to are equal: their clocks stand still but for scans, which are over at once.
 */
export class World {
  readonly folder: string;
  readonly outDir: string;
  readonly #statePath: string;
  readonly #names = new Names();

  private constructor(
    readonly seat: Seat,
    private readonly simulator: Simulator,
  ) {
    this.folder = seat.folder;
    this.outDir = join(seat.folder, "cdktf.out");
    this.#statePath = join(seat.folder, "terraform.prod.tfstate");
  }

  /** What an earlier case left in the seat goes. */
  static async open(seat: Seat, { fresh = false, ...options }: WorldOptions): Promise<World> {
    for (const name of readdirSync(seat.folder)) {
      if (name !== "cdktf.out" && !name.startsWith(".")) {
        rmSync(join(seat.folder, name), { recursive: true, force: true });
      }
    }
    const clock = new ManualClock();
    const simulator = await startSimulator({
      ...options,
      clock,
      seed: "conformance",
      ...(!fresh && { signedUp: { username: "admin", password: PASSWORD }, licensed: true }),
    });
    const world = new World(seat, simulator);
    for (const { console } of simulator.consoles) standardize(console, clock);
    return world;
  }

  /** The first, or the only one. */
  get console(): Console {
    return this.simulator.consoles[0].console;
  }

  get consoles(): readonly Console[] {
    return this.simulator.consoles.map(({ console }) => console);
  }

  /** Puts the stack in the place of the one before. */
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

  /** The text without what is this world's alone: addresses, paths, what was made at random. */
  anonymous(text: string): string {
    const known = this.#places().reduce(
      (anonymous, [there, name]) => anonymous.replaceAll(there, name),
      text,
    );
    return this.#names.replace(known);
  }

  /**
   * The state file but for lineage, serial, version and random IDs, and without the resources that
   * Terraform leaves in it with no instance: those whose creation was refused. What it writes in no
   * particular order is sorted: sensitive paths and the results of conditions. Undefined where there
   * is nothing in it: Terraform writes such a file where we write none.
   */
  state(): string | undefined {
    if (!existsSync(this.#statePath)) return undefined;
    const text = readFileSync(this.#statePath, "utf8");
    this.#names.learn(text);
    const state = this.anonymous(text)
      .replace(/"(lineage|terraform_version)": "[^"]*"/g, '"$1": "any"')
      .replace(/"serial": \d+/, '"serial": 0')
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
      .replace(/"check_results": (\[[^]*\])/, (_, results: string) => {
        return `"check_results": ${sorted(results)}`;
      })
      .replace(/"private": "([^"]*)"/g, (_, encoded: string) => {
        const told = Buffer.from(encoded, "base64").toString("utf8");
        return `"private": ${this.anonymous(told)}`;
      });
    return state.includes('"outputs": {},\n  "resources": [],') ? undefined : state;
  }

  /** The names of the outputs that the state has. */
  outputs(): readonly string[] {
    if (!existsSync(this.#statePath)) return [];
    const { outputs } = JSON.parse(readFileSync(this.#statePath, "utf8")) as { outputs: object };
    return Object.keys(outputs);
  }

  /** What the consoles keep, but for their keys. */
  contents(): readonly unknown[] {
    return this.consoles.map(({ data }) => ({
      ...data,
      users: [...data.users.keys()],
      keys: [],
    }));
  }

  /** What was asked of the consoles since the last call that may have had an effect, sorted. */
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

  /** Where things are in this world, and how stacks call that. */
  #places(): readonly (readonly [string, string])[] {
    return [
      ...this.simulator.consoles.map(({ url }, index) => [url, consoleUrl(index + 1)] as const),
      [this.simulator.caFile, CA_FILE],
      [this.folder, FOLDER],
    ];
  }
}

/** Scans are over at once, and no document names the port that the console happens to have. */
function standardize(console: Console, clock: ManualClock): void {
  const handle = console.handle.bind(console);
  console.handle = async (request) => {
    const headers = { ...request.headers, host: "console.invalid" };
    const response = await handle({ ...request, headers });
    if (request.method === "GET" && request.path.endsWith("/scan")) clock.advance(AFTER_SCAN);
    return response;
  };
}

/** Keys of two kinds, one of them on its way out, Terraform writes now in one order, now in another. */
function inAnyOrder(instances: string): string {
  const isMixed = instances.includes('"index_key": "') && /"index_key": \d/.test(instances);
  if (!isMixed) return instances;
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
