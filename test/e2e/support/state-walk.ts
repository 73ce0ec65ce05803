import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startSimulator, type ConsoleRequest, type Simulator } from "../../../src/simulator";
import {
  consoleStack,
  PASSWORD,
  SECRETS,
  temporaryFolder,
  writeStacks,
} from "../../cli/stack-files";
import { startCli, type Ended, type Running } from "./bundle";
import type { StatePlace } from "./state-places";

export const ENGINES = ["embedded", "terraform", "tofu"] as const;
export type Engine = (typeof ENGINES)[number];

/** A stack and its console, whose state all engines share in one place. */
export class StateWalk {
  private policy = "First";
  private readonly directory = temporaryFolder();

  private constructor(
    private readonly place: StatePlace,
    private readonly name: string,
    private readonly simulator: Simulator,
    private readonly workspace: string,
    private readonly before: readonly string[],
  ) {}

  static async open(place: StatePlace, name: string, workspace = "default"): Promise<StateWalk> {
    const signedUp = { username: "admin", password: PASSWORD };
    const simulator = await startSimulator({ signedUp, licensed: true });
    const walk = new StateWalk(place, name, simulator, workspace, namesIn(simulator));
    walk.change(walk.policy);
    return walk;
  }

  /** Renames the policy of the stack. */
  change(policy: string): void {
    this.policy = policy;
    const terraform = {
      required_providers: { cwp: { source: "cdktf-console/cwp" } },
      backend: this.place.backend(this.name),
    };
    writeStacks(this.directory, { prod: { ...consoleStack(this.simulator, policy), terraform } });
  }

  start(engine: Engine, command: string): Running {
    const argv = [...command.split(" "), "--engine", engine, "--out-dir", "cdktf.out"];
    return startCli(argv, { cwd: this.directory, environment: this.environment });
  }

  run(engine: Engine, command: string): Promise<Ended> {
    return this.start(engine, command).ended;
  }

  async succeed(engine: Engine, command: string): Promise<void> {
    const { code, err } = await this.run(engine, command);
    expect({ engine, command, code, err }).toEqual({ engine, command, code: 0, err: "" });
  }

  /** Applies, after which the console and the state have the policy. */
  async apply(engine: Engine): Promise<void> {
    await this.succeed(engine, "apply --auto-approve");
    await this.hasConverged();
  }

  async hasConverged(): Promise<void> {
    expect(namesIn(this.simulator)[0]).toBe(this.policy);
    const stored = await this.stored();
    expect(JSON.stringify(stored?.resources)).toContain(`"${this.policy}"`);
  }

  async planIsEmpty(engine: Engine): Promise<void> {
    await this.succeed(engine, "plan --detailed-exitcode");
  }

  async destroy(engine: Engine): Promise<void> {
    await this.succeed(engine, "destroy --auto-approve");
    expect(namesIn(this.simulator)).toEqual(this.before);
    expect((await this.stored())?.resources ?? []).toEqual([]);
  }

  /** Applies with one engine; another one must be refused meanwhile. */
  async applyExcluding(engine: Engine, other: Engine): Promise<void> {
    const refused: Ended[] = [];
    const undo = this.atFirstWrite(async () => {
      refused.push(await this.run(other, "apply --auto-approve"));
    });
    await this.succeed(engine, "apply --auto-approve");
    undo();
    expect(refused).toHaveLength(1);
    expect(refused[0]?.code).toBe(1);
    expect(refused[0]?.err.replaceAll(/\s+/g, " ")).toMatch(
      /State is locked|state lock|already locked|conditionNotMet/,
    );
    await this.hasConverged();
  }

  /** Kills an apply after its first write to the console, and ends the lock that is left. */
  async kill(engine: Engine): Promise<void> {
    const killed: Promise<void>[] = [];
    const undo = this.atFirstWrite(() => {
      const end = killAll(running);
      killed.push(end);
      return end;
    });
    const running = this.start(engine, "apply --auto-approve");
    await running.ended;
    undo();
    expect(killed).toHaveLength(1);
    await Promise.all(killed);
  }

  /** Ends a lock that is left, as the error says. */
  async unlock(): Promise<void> {
    const { err } = await this.run("embedded", "plan");
    if (err === "") return;
    const said = err.replaceAll(/\s+/g, " ");
    const [, lockOfTerraform] =
      /If no Terraform runs on this state, delete (\S+)\./.exec(said) ?? [];
    if (lockOfTerraform !== undefined) {
      rmSync(lockOfTerraform);
      return;
    }
    const [, id] = /force-unlock ([\w-]+)/.exec(said) ?? [];
    expect({ err, id }).toMatchObject({ id: expect.any(String) as string });
    const argv = ["force-unlock", "--force", id ?? "", "--out-dir", "cdktf.out"];
    const { directory: cwd, environment } = this;
    const { code, err: refused } = await startCli(argv, { cwd, environment }).ended;
    expect({ code, refused }).toEqual({ code: 0, refused: "" });
  }

  async close(): Promise<void> {
    await this.simulator.close();
  }

  async stored() {
    const text = await this.place.stored(this.name, this.workspace);
    return JSON.parse(text === "" ? "null" : text) as { resources: unknown[] } | null;
  }

  private get environment(): Readonly<Record<string, string>> {
    const { workspace, place } = this;
    return { ...SECRETS, ...place.environment, TF_WORKSPACE: workspace };
  }

  /** Waits for `work` after the effect of the first write; returns what undoes it. */
  private atFirstWrite(work: () => Promise<void>): () => void {
    const [{ console }] = this.simulator.consoles;
    const handle = console.handle.bind(console);
    let isFirst = true;
    console.handle = async (request: ConsoleRequest) => {
      const response = await handle(request);
      const isWrite = request.method !== "GET" && !request.path.includes("authenticate");
      if (isWrite && isFirst) {
        isFirst = false;
        await work();
      }
      return response;
    };
    return () => {
      console.handle = handle;
    };
  }
}

function namesIn({ consoles: [{ console }] }: Simulator): readonly string[] {
  return console.policies().map(({ name }) => String(name));
}

/** Kills a process after all that it started, and waits until they are gone. */
async function killAll({ child, ended }: Running): Promise<void> {
  // Terraform writes a state if it survives its provider.
  const pids = [...processesFrom(child.pid)].reverse();
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  await ended;
  while (pids.some(isRunning)) await delay(20);
}

/** A process and all that it started. */
export function processesFrom(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-e", "-o", "ppid=,pid="], { encoding: "utf8" });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const from = (parent: number): readonly number[] => [
    parent,
    ...rows.flatMap(([above, child = 0]) => (above === parent ? from(child) : [])),
  ];
  return from(pid);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
