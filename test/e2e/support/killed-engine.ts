import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  startSimulator,
  type ConsoleRequest,
  type ConsoleResponse,
  type Simulator,
} from "../../../src/simulator";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder } from "../../cli/stack-files";
import { writeStacks, type StackJson } from "../../cli/stack-files";
import { TOFU } from "../../opentofu/install";
import { offlineEnvironment, startProgram } from "../../support/terraform-project";
import { startCli } from "./bundle";
import { TERRAFORM } from "./engines";
import { isRunning, processesFrom } from "./state-walk";

/** `terraform` and `tofu` run the installed provider; `--engine terraform` runs a served one. */
export type EngineName = "embedded" | "--engine terraform" | "terraform" | "tofu";

/** The moment of a kill: at a request by its number or method, before or after its effect. */
export interface Moment {
  readonly request: number | "PUT";
  readonly effect: "before" | "after";
}

/** The processes to kill: the program that plans and applies, its children, or all. */
export type Victim = "program" | "children" | "all";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A console that is set up, a folder with the stack `prod`, and an engine for it. */
export class KilledEngine {
  readonly stackFolder: string;

  private constructor(
    readonly engine: EngineName,
    private readonly simulator: Simulator,
    readonly environment: Record<string, string>,
    readonly directory = temporaryFolder(),
  ) {
    this.stackFolder = join(directory, "cdktf.out", "stacks", "prod");
  }

  static async open(engine: EngineName, resource: StackJson): Promise<KilledEngine> {
    const signedUp = { username: "admin", password: PASSWORD };
    const simulator = await startSimulator({ signedUp, licensed: true });
    const killed = new KilledEngine(engine, simulator, { ...SECRETS });
    killed.write(resource);
    const { code, err } = await killed.initialize();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return killed;
  }

  /** The same folder and console with another engine. */
  as(engine: EngineName): KilledEngine {
    return new KilledEngine(engine, this.simulator, this.environment, this.directory);
  }

  /** Replaces the resources of the stack. */
  write(resource: StackJson): void {
    const { provider, variable } = consoleStack(this.simulator);
    writeStacks(this.directory, { prod: { provider, variable, resource } });
  }

  get console() {
    return this.simulator.consoles[0].console;
  }

  /** Runs `apply` or `destroy` to its end. */
  run(command: "apply" | "destroy"): Promise<Ended> {
    return this.start(command).ended;
  }

  /** Runs a command that must succeed. */
  async succeed(command: "apply" | "destroy"): Promise<string> {
    const { code, out, err } = await this.run(command);
    if (code !== 0) throw new Error(`${this.engine} ${command}: ${String(code)}\n${out}${err}`);
    return out;
  }

  /** Returns the requests of a command, as moments: those with an effect before and after it. */
  async momentsOf(
    command: "apply" | "destroy",
  ): Promise<readonly (Moment & { readonly request: number; readonly path: string })[]> {
    const { requests } = this.console;
    requests.length = 0;
    await this.succeed(command);
    return requests.flatMap(({ method, path }, index) => {
      const moment = { request: index + 1, path: `${method} ${path}` };
      const before = { ...moment, effect: "before" } as const;
      return method === "GET" ? [before] : [before, { ...moment, effect: "after" } as const];
    });
  }

  /** Runs a command, and kills processes at a moment. */
  async killAt(command: "apply" | "destroy", moment: Moment, victim: Victim): Promise<void> {
    const { console } = this;
    const handle = console.handle.bind(console);
    const running = this.start(command);
    let count = 0;
    const kills: Promise<void>[] = [];
    console.handle = async (request: ConsoleRequest): Promise<ConsoleResponse> => {
      count += 1;
      if (kills.length > 0 || ![count, request.method].includes(moment.request)) {
        return handle(request);
      }
      if (moment.effect === "after") await handle(request);
      kills.push(this.kill(running, victim));
      await Promise.all(kills);
      return { status: 0, headers: {}, body: "", delivered: "none" };
    };
    await running.ended;
    console.handle = handle;
    // Parts of a plan run at the same time, so that one run may send a request less than another.
    expect(kills.length === 1 || count === Number(moment.request) - 1).toBe(true);
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Kills processes, and waits until they and all that depend on them are gone. */
  private async kill({ child }: Running, victim: Victim): Promise<void> {
    const [first = 0, ...others] = processesFrom(child.pid ?? 0);
    const isServed = this.engine === "--engine terraform";
    const program = isServed ? others : [first];
    const children = isServed ? [] : others;
    const victims = { program, children, all: [first, ...others] }[victim];
    for (const pid of victims) process.kill(pid, "SIGKILL");
    const ending = victim === "children" ? children : [first, ...others];
    while (ending.some(isRunning)) await delay(20);
  }

  private async initialize(): Promise<Ended> {
    if (this.engine === "embedded") return { code: 0, out: "", err: "" };
    Object.assign(this.environment, await offlineEnvironment(this.directory));
    if (this.engine === "--engine terraform") return { code: 0, out: "", err: "" };
    return this.startProgram(["init"]).ended;
  }

  private start(command: "apply" | "destroy"): Running {
    const { directory, environment, engine } = this;
    if (engine === "terraform" || engine === "tofu") {
      return this.startProgram([command, "-auto-approve"]);
    }
    const served = engine === "embedded" ? [] : TERRAFORM.split(" ");
    const argv = [command, "--auto-approve", ...served, "--out-dir", "cdktf.out"];
    return startCli(argv, { cwd: directory, environment });
  }

  private startProgram(args: readonly string[]): Running {
    const program = this.engine === "tofu" ? TOFU : "terraform";
    const variables = { TF_IN_AUTOMATION: "1", TF_INPUT: "0", TF_CLI_ARGS: "-no-color" };
    return startProgram(program, args, this.stackFolder, { ...variables, ...this.environment });
  }
}
