import { availableParallelism } from "node:os";
import { block, printed } from "../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { planIdentity, type StackPlan } from "../../core/documents/stack-plan";
import { Limit } from "../../core/io/limit";
import { selectedWorkspace } from "../../core/workspace";
import type { Lock } from "../../runtime/backends/backend";
import type { StackEntry } from "../../runtime/config/assembly";
import { mayForgetBackend, stateLeftBehind } from "../../runtime/config/last-backend";
import { backendConfig, backendOf } from "../../runtime/config/open-backend";
import { readConfiguration } from "../../runtime/config/stack-file";
import { adviceOf } from "../stacks/advice";
import { terraformBlock } from "../stacks/app-stacks";
import { importArguments } from "./arguments";
import { openEngine, type EngineOptions, type OpenEngine } from "./engine";
import { handOver } from "./hand-over";
import { initialize } from "./initialize";
import { validationIn } from "./messages";
import { NAMES } from "./program";
import { runProgram, type Ended, type ProgramRun } from "./process";
import type { ServedProviders } from "./served-providers";
import { secretsOf } from "./variables";

type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration in an initialized folder, or the errors that prevent it. */
interface Opened {
  readonly configuration?: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Commands that run at once, for any number of stacks. */
const limit = new Limit(availableParallelism());

/** The folder of a stack in which Terraform or OpenTofu runs, which alone reads and writes the state. */
export class EngineFolder {
  identity: Pick<StackPlan, "stack" | "workspace">;
  private lock: Lock | undefined;
  private variables: Variables = {};

  constructor(
    private readonly engine: OpenEngine<EngineOptions>,
    readonly entry: StackEntry,
  ) {
    this.identity = { stack: entry.name };
  }

  /** Serves the providers for one step only, since a run may have thousands of stacks. */
  async serving<T>(step: (served: ServedProviders) => Promise<T>): Promise<T> {
    const served = await this.engine.serve(this.entry.directory);
    this.variables = { ...this.variables, ...served.environment };
    try {
      return await step(served);
    } finally {
      await served.close();
    }
  }

  /**
   * Locks the state for the program and initializes the folder.
   *
   * @param reads - the program does not write the state
   */
  async open(served: ServedProviders, reads = false): Promise<Opened> {
    const { engine, entry } = this;
    const { terminal, program, version, options, environment } = engine;
    const read = await readConfiguration(entry);
    if ("problem" in read) return { diagnostics: [read.problem] };
    const { directory } = entry;
    const { workspace, ...selecting } = await selectedWorkspace(directory, environment);
    if (workspace === undefined) return selecting;
    this.identity = planIdentity({ ...entry, workspace });
    const configuration = read.json;
    this.variables = {
      ...environment,
      ...secretsOf(configuration, environment),
      ...served.environment,
    };
    const handed = await handOver({
      terraform: terraformBlock(configuration),
      directory,
      workspace,
      environment,
      operation: `${program} ${engine.operation}`,
      waitMs: options.lockTimeout ?? 0,
      reads,
    });
    this.lock = handed.lock;
    if (hasErrors(handed.diagnostics)) return handed;
    const checked = await this.checkBackend(terraformBlock(configuration), workspace);
    const diagnostics = [...handed.diagnostics, ...checked.diagnostics];
    if (hasErrors(checked.diagnostics)) return { diagnostics };
    const request = { terminal, program, version, stack: entry, configuration };
    const { replacesBackend } = checked;
    const initialized = { ...request, replacesBackend, environment: this.variables };
    return { configuration, diagnostics: [...diagnostics, ...(await initialize(initialized))] };
  }

  /** Runs the program. */
  run(args: readonly string[], more: Pick<ProgramRun, "line" | "input"> = {}): Promise<Ended> {
    const { terminal, program } = this.engine;
    const { directory } = this.entry;
    return runProgram(terminal, program, args, { directory, environment: this.variables, ...more });
  }

  /** Opens the folder and runs a command. Without its end, the diagnostics have an error. */
  async command(
    args: readonly string[],
    { reads = false, input }: CommandRun = {},
  ): Promise<{ readonly ended?: Ended; readonly diagnostics: readonly Diagnostic[] }> {
    const openAndRun = async (served: ServedProviders) => {
      const { diagnostics } = await this.open(served, reads);
      const given = input === undefined ? {} : { input };
      const ended = hasErrors(diagnostics) ? undefined : await this.run(args, given);
      return { ...(ended && { ended }), diagnostics: [...diagnostics, ...(await this.close())] };
    };
    return limit.run(() => this.serving(openAndRun));
  }

  /** Returns the output of a command; without it, the diagnostics have an error. */
  async output(
    args: readonly string[],
    more: CommandRun = {},
  ): Promise<{ readonly out?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const { ended, diagnostics } = await this.command(args, more);
    if (!ended) return { diagnostics };
    if (ended.kind === "ended" && ended.code === 0) return { out: ended.out, diagnostics };
    const failed = this.failed(ended.kind === "ended" ? ended.err : "");
    return { diagnostics: [...diagnostics, failed] };
  }

  /** Returns what `validate` finds in the configuration. */
  async validate(): Promise<readonly Diagnostic[]> {
    const { ended, diagnostics } = await this.command(["validate", "-json", "-no-color"], {
      reads: true,
    });
    if (!ended) return diagnostics;
    const found = ended.kind === "ended" ? validationIn(ended.out) : undefined;
    return [...diagnostics, ...(found ?? [this.failed(ended.kind === "ended" ? ended.err : "")])];
  }

  /** Imports an object, and returns what the program prints. */
  importObject(address: string, id: string) {
    const { options, variables } = this.engine;
    return this.output([...importArguments(options, variables.files), address, id]);
  }

  async close(): Promise<readonly Diagnostic[]> {
    const { lock } = this;
    this.lock = undefined;
    return (await lock?.release()) ?? [];
  }

  failed(output: string): Diagnostic {
    const { program } = this.engine;
    const { name, directory } = this.entry;
    const text = output.trim();
    const said = printed`, and printed:\n\n${block(text)}`;
    return error(
      `${NAMES[program]} failed`,
      printed`"${program}" failed for stack "${name}", in ${directory}${text === "" ? "." : said}`,
    );
  }

  /** Reports a state that was left in another backend, and whether `init` may forget that backend. */
  private async checkBackend(
    terraform: unknown,
    workspace: string,
  ): Promise<{ replacesBackend: boolean; diagnostics: readonly Diagnostic[] }> {
    const { options, environment } = this.engine;
    const { name, directory } = this.entry;
    const { backend: config } = backendConfig(terraform);
    const location = { directory, workspace, environment };
    const { backend } = config ? backendOf(config, location) : {};
    // The engine itself reports what is wrong with a backend.
    if (!config || !backend) return { replacesBackend: false, diagnostics: [] };
    const { state, diagnostics } = await backend.read();
    if (hasErrors(diagnostics)) return { replacesBackend: false, diagnostics: [] };
    const placed = { name, directory, workspace, backend: config };
    const advice = adviceOf(options)(name);
    const left = await stateLeftBehind(placed, { backend, state }, environment, advice);
    const replacesBackend = await mayForgetBackend(placed, state, environment);
    return { replacesBackend, diagnostics: left };
  }
}

/** Returns what opens the folders of stacks, or the errors that prevent it. */
export async function folderOpener(
  ...[screen, program, operation, options, stacks]: Parameters<typeof openEngine<EngineOptions>>
): Promise<{
  readonly folderOf?: (entry: StackEntry) => EngineFolder;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const engine = await openEngine(screen, program, operation, options, stacks);
  if (!("serve" in engine)) return engine;
  return { folderOf: (entry) => new EngineFolder(engine, entry), diagnostics: [] };
}

interface CommandRun {
  /** The command does not write the state. */
  readonly reads?: boolean;
  /** Text for its standard input. */
  readonly input?: string;
}
