import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "../../cli/stack-files";
import type { StackJson } from "../../cli/stack-files";
import { TestTerminal } from "../../cli/test-terminal";

/** The result of a command. */
export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A user's folder with the stack `prod`, and its own console. */
export class Workspace {
  readonly directory = temporaryFolder();
  readonly outDir = join(this.directory, "cdktf.out");
  readonly stackFile = join(this.outDir, "stacks", "prod", "cdk.tf.json");
  readonly statePath = join(this.directory, "terraform.prod.tfstate");
  environment: Record<string, string> = { ...SECRETS };

  private constructor(readonly simulator: Simulator) {}

  /** Opens a folder with the stack of `consoleStack`. */
  static async open(options: SimulatorOptions = {}): Promise<Workspace> {
    const workspace = new Workspace(await startSimulator(options));
    workspace.write(workspace.stack());
    return workspace;
  }

  get console() {
    return this.simulator.consoles[0].console;
  }

  /** The requests to the console, as `PUT /api/v1/…`. */
  get requests(): readonly string[] {
    return this.console.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** A bootstrap, a license and one policy. */
  stack(policy?: string): StackJson {
    return consoleStack(this.simulator, policy);
  }

  /** The provider block, variables and outputs of `stack`, with other resources. */
  stackOf(resource: StackJson, more: StackJson = {}): StackJson {
    return { ...this.stack(), output: {}, resource, ...more };
  }

  write(stack: StackJson): void {
    writeStacks(this.directory, { prod: stack });
  }

  terminal(answers?: string[]): TestTerminal {
    const { directory, environment } = this;
    return new TestTerminal({ directory, environment, ...(answers && { answers }) });
  }

  /** Runs a command line with the synthesized stacks. */
  async run(command: string): Promise<Run> {
    return this.runBare(`${command} --out-dir cdktf.out`);
  }

  /** Runs a command line unchanged. */
  async runBare(command: string): Promise<Run> {
    const terminal = this.terminal();
    const code = await terminal.run(...command.split(" ").filter((word) => word !== ""));
    return { code, out: terminal.out, err: terminal.err };
  }

  /** Applies, and fails if the apply fails. */
  async apply(): Promise<Run> {
    const run = await this.run("apply --auto-approve");
    if (run.code !== 0) throw new Error(run.err);
    return run;
  }

  state(): string | undefined {
    return existsSync(this.statePath) ? readFileSync(this.statePath, "utf8") : undefined;
  }

  /** The addresses in state, as `TYPE.NAME`. */
  stored(): string[] {
    const { resources } = JSON.parse(this.state() ?? '{"resources":[]}') as {
      resources: { type: string; name: string }[];
    };
    return resources.map(({ type, name }) => `${type}.${name}`);
  }

  writeState(content: string): void {
    writeFileSync(this.statePath, content);
  }

  /** Writes a file below the folder. */
  file(name: string, content: string): void {
    const path = join(this.directory, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
  }

  /** The files next to the stacks: states, locks, journals. */
  files(): string[] {
    return readdirSync(this.directory)
      .filter((name) => name !== "cdktf.out")
      .sort();
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
