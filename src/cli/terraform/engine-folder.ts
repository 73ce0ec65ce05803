import { availableParallelism } from "node:os";
import { join } from "node:path";
import { block, printed } from "../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { planIdentity, type StackPlan } from "../../core/documents/stack-plan";
import { parseAddress } from "../../core/documents/address";
import { isEmptyState, type State } from "../../core/documents/state";
import { Limit } from "../../core/io/limit";
import { hideSecrets, useSecrets } from "../../core/io/secrets-in-use";
import { dataFolder, DEFAULT_WORKSPACE, selectedWorkspace } from "../../core/workspace";
import { type Advice, backupPath, type Lock } from "../../backends";
import {
  backendConfig,
  backendOf,
  earlierBackends,
  mayForgetBackend,
  parseStack,
  type PlacedStack,
  type PresentState,
  readConfiguration,
  recordBackend,
  type StackEntry,
  stateLeftBehind,
} from "../../language";
import { readState } from "../../formats/state-file/read";
import { adviceOf } from "../stacks/advice";
import { terraformBlock } from "../stacks/app-stacks";
import { importArguments } from "./arguments";
import { openEngine, type ProgramEngineOptions, type OpenEngine } from "./engine";
import { handOver } from "./hand-over";
import { withPrivateFiles } from "./private-files";
import { initialize } from "./initialize";
import { documentIn, validationIn } from "./messages";
import { NAMES } from "./program";
import { errorOutput, runProgram, type Ended, type EngineProcess } from "./process";
import type { ServedProviders } from "./served-providers";
import { markedValues, secretVariables } from "./variables";

type Variables = Readonly<Record<string, string | undefined>>;

/** A configuration in an initialized folder, or the errors that prevent it. */
interface Opened {
  readonly configuration?: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Commands that run at once, for any number of stacks. */
const limit = new Limit(availableParallelism());

/** Commands that create no state. */
const READING = ["plan", "show", "output", "validate", "graph", "init", "providers"];

/** The folder of a stack in which Terraform or OpenTofu runs, which alone reads and writes the state. */
export class EngineFolder {
  identity: Pick<StackPlan, "stack" | "workspace">;
  /** The file of a local state. */
  private stateFile: string | undefined;
  private lock: Lock | undefined;
  private variables: Variables = {};
  private readonly connected: ServedProviders[] = [];

  constructor(
    private readonly engine: OpenEngine<ProgramEngineOptions>,
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
      this.connected.push(served);
    }
  }

  /** Locks the state for the program and initializes the folder. */
  async open(served: ServedProviders, purpose: Purpose): Promise<Opened> {
    const { engine, entry } = this;
    const { terminal, program, version, options, environment } = engine;
    const read = await readConfiguration(entry);
    if ("problem" in read) return { diagnostics: [read.problem] };
    const { directory } = entry;
    const { workspace, ...selecting } = await selectedWorkspace(directory, environment);
    if (workspace === undefined) return selecting;
    this.identity = planIdentity({ ...entry, workspace });
    const configuration = read.json;
    useSecrets(markedValues(configuration, environment));
    this.variables = {
      ...environment,
      ...secretVariables(configuration, environment),
      ...served.environment,
    };
    const handed = await handOver({
      terraform: terraformBlock(configuration),
      directory,
      workspace,
      environment,
      operation: `${program} ${engine.operation}`,
      waitMs: options.lockTimeout ?? 0,
      reads: purpose === "read",
    });
    this.lock = handed.lock;
    this.stateFile = handed.stateFile;
    if (hasErrors(handed.diagnostics)) return handed;
    const { backend: config } = backendConfig(terraformBlock(configuration));
    const placed = config && { name: entry.name, directory, workspace, backend: config };
    const known = placed && (await this.readDirectly(placed));
    const isPlan = purpose === "plan";
    const left = isPlan && placed && known ? await this.leftBehind(placed, known) : [];
    if (hasErrors(left)) return { diagnostics: [...handed.diagnostics, ...left] };
    const replacesBackend =
      placed && known ? await mayForgetBackend(placed, known.state, environment) : false;
    const request = { terminal, program, version, stack: entry, configuration };
    const initialized = await initialize({
      ...request,
      replacesBackend,
      environment: this.variables,
    });
    const isAsked = isPlan && !known && !hasErrors(initialized);
    const asked = isAsked && placed ? await this.askForLeft(placed) : [];
    const diagnostics = [...handed.diagnostics, ...left, ...initialized, ...asked];
    return { configuration, diagnostics };
  }

  /** Runs the program. @param plan - the file that it saves a plan in */
  run(
    args: readonly string[],
    { plan, ...more }: Pick<EngineProcess, "line" | "input"> & { readonly plan?: string } = {},
  ): Promise<Ended> {
    const { terminal, program } = this.engine;
    const { directory } = this.entry;
    const states = this.stateFile === undefined ? [] : [this.stateFile];
    const isWritten = !READING.includes(args[0] ?? "");
    const files = {
      written: [...(plan === undefined ? [] : [plan]), ...(isWritten ? states : [])],
      others: [
        ...states.flatMap((file) => [file, backupPath(file)]),
        // The block of the backend, which may have credentials.
        join(dataFolder(directory, this.engine.environment), "terraform.tfstate"),
      ],
    };
    return withPrivateFiles(files, () =>
      runProgram(terminal, program, args, { directory, environment: this.variables, ...more }),
    );
  }

  /** Opens the folder and runs a command. Without its end, the diagnostics have an error. */
  async command(
    args: readonly string[],
    { purpose, input, prepare }: CommandRun,
  ): Promise<{ readonly ended?: Ended; readonly diagnostics: readonly Diagnostic[] }> {
    const openAndRun = async (served: ServedProviders) => {
      const { configuration, diagnostics: opened } = await this.open(served, purpose);
      const prepared = hasErrors(opened) ? [] : ((await prepare?.(served, configuration)) ?? []);
      const diagnostics = [...opened, ...prepared];
      const given = input === undefined ? {} : { input };
      const ended = hasErrors(diagnostics) ? undefined : await this.run(args, given);
      return { ...(ended && { ended }), diagnostics };
    };
    return limit.run(async () => {
      const { diagnostics, ...result } = await this.serving(openAndRun);
      return { ...result, diagnostics: [...diagnostics, ...(await this.close())] };
    });
  }

  /** Returns the output of a command; without it, the diagnostics have an error. */
  async output(
    args: readonly string[],
    more: CommandRun,
  ): Promise<{ readonly out?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const { ended, diagnostics } = await this.command(args, more);
    if (!ended) return { diagnostics };
    if (ended.kind === "ended" && ended.code === 0) return { out: ended.out, diagnostics };
    return { diagnostics: [...diagnostics, this.failed(errorOutput(ended))] };
  }

  /** Returns what `validate` finds in the configuration. */
  async validate(): Promise<readonly Diagnostic[]> {
    const { ended, diagnostics } = await this.command(["validate", "-json", "-no-color"], {
      purpose: "read",
    });
    if (!ended) return diagnostics;
    const found = ended.kind === "ended" ? validationIn(ended.out) : undefined;
    return [...diagnostics, ...(found ?? [this.failed(errorOutput(ended))])];
  }

  /** Imports an object, and returns what the program prints. */
  importObject(address: string, id: string) {
    const { options, variables } = this.engine;
    const args = [...importArguments(options, variables.files), address, id];
    const prepare: CommandRun["prepare"] = async (served, configuration) => {
      const { workspace = DEFAULT_WORKSPACE } = this.identity;
      const { config } = await parseStack(configuration, { ...this.entry, workspace });
      const { state, diagnostics } = await this.pull(this.entry.name);
      const { type, name } = parseAddress(address) ?? {};
      const alias = config?.resources.get(`${type}.${name}`)?.provider.alias;
      if (state) served.setTarget({ state, alias });
      return diagnostics;
    };
    return this.output(args, { purpose: "plan", prepare });
  }

  /** Closes the connections of the providers, and releases the lock. */
  async close(): Promise<readonly Diagnostic[]> {
    const { lock } = this;
    this.lock = undefined;
    await Promise.all(this.connected.splice(0).map((served) => served.end()));
    return (await lock?.release()) ?? [];
  }

  failed(output: string): Diagnostic {
    const { program } = this.engine;
    const { name, directory } = this.entry;
    const text = hideSecrets(output.trim());
    const said = printed`, and printed:\n\n${block(text)}`;
    return error(
      `${NAMES[program]} failed`,
      printed`"${program}" failed for stack "${name}", in ${directory}${text === "" ? "." : said}`,
    );
  }

  /** Reads a state without the program. Undefined if only the program can. */
  private async readDirectly(placed: PlacedStack): Promise<PresentState | undefined> {
    const { backend } = backendOf(placed.backend, {
      ...placed,
      environment: this.engine.environment,
    });
    const { state, diagnostics } = (await backend?.read()) ?? { diagnostics: [] };
    // The program itself reports what is wrong with a backend.
    return backend && !hasErrors(diagnostics) ? { location: backend.location, state } : undefined;
  }

  /** Like `leftBehind`, with the state that the program reads. */
  private async askForLeft(placed: PlacedStack): Promise<readonly Diagnostic[]> {
    const earlier = await earlierBackends(placed, this.engine.environment);
    if (earlier.length === 0) return [];
    const location = "the backend that only the engine reads";
    const { state, diagnostics } = await this.pull(location);
    return hasErrors(diagnostics) ? diagnostics : this.leftBehind(placed, { location, state });
  }

  /** Reads the state by the program. */
  private async pull(location: string): Promise<{
    readonly state?: State | undefined;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    const pulled = await this.run(["state", "pull", "-no-color"]);
    if (pulled.kind !== "ended" || pulled.code !== 0) {
      return { diagnostics: [this.failed(errorOutput(pulled))] };
    }
    const text = documentIn(pulled.out).trim();
    return text === "" ? { diagnostics: [] } : readState(Buffer.from(text), location);
  }

  /** Reports a state that was left in another backend, if the present one has no objects. */
  private async leftBehind(placed: PlacedStack, present: PresentState) {
    const { options, environment, program } = this.engine;
    if (present.state && !isEmptyState(present.state)) await recordBackend(placed, environment);
    const complete = adviceOf(options)(placed.name);
    const isOther = placed.backend.type === "other";
    const advice: Advice = (words, of) =>
      complete(isOther ? `state push FILE --engine ${program}` : words, of);
    return stateLeftBehind(placed, present, environment, advice);
  }
}

/** A plan creates what the state does not have. */
type Purpose = "plan" | "read" | "write";

/** Returns what opens the folders of stacks, or the errors that prevent it. */
export async function folderOpener(
  ...given: Parameters<typeof openEngine<ProgramEngineOptions>>
): Promise<{
  readonly folderOf?: (entry: StackEntry) => EngineFolder;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const engine = await openEngine(...given);
  if (!("serve" in engine)) return engine;
  return { folderOf: (entry) => new EngineFolder(engine, entry), diagnostics: [] };
}

interface CommandRun {
  readonly purpose: Purpose;
  /** Text for its standard input. */
  readonly input?: string;
  /** Runs before it in the open folder; after an error the command does not run. */
  readonly prepare?: (
    served: ServedProviders,
    configuration: unknown,
  ) => Promise<readonly Diagnostic[]>;
}
