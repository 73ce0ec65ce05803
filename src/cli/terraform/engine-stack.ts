import { block, printed } from "../../core/printed";
import { join } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { readPlanJson } from "../../formats/json/read-plan";
import type { UiMessage } from "../../formats/ui-stream/message";
import type { AppliedStack, PlanMode, StackPlan } from "../../runtime";
import type { Lock } from "../../runtime/backends/backend";
import type { StackEntry } from "../../runtime/config/assembly";
import { selectedWorkspace } from "../../core/workspace";
import { planIdentity } from "../../core/documents/stack-plan";
import { emptyState } from "../../core/documents/state";
import { parseStack } from "../../runtime/config/stack";
import type { StackConfig } from "../../runtime/config/stack-config";
import { readConfiguration } from "../../runtime/config/stack-file";
import { terraformBlock } from "../stacks/app-stacks";
import { PLAN_PROVIDERS } from "../stacks/built-in-schema";
import { applyArguments, planArguments } from "./arguments";
import type { OpenEngine } from "./engine";
import { backendConfig, backendOf } from "../../runtime/config/open-backend";
import { mayForgetBackend, stateLeftBehind } from "../../runtime/config/last-backend";
import { adviceOf } from "../stacks/advice";
import { handOver } from "./hand-over";
import { initialize } from "./initialize";
import { documentIn, MessageReader, type Messages } from "./messages";
import { NAMES } from "./program";
import { runProgram } from "./process";
import type { ApplyPace } from "./observed-provider";
import type { ServedProviders } from "./served-providers";
import { cwpProvider } from "../../provider/cwp-provider";
import { secretsOf } from "./variables";

type Variables = Readonly<Record<string, string | undefined>>;

/** Resources without an effect outside of the state. */
const PACED_TYPES = new Set(["null_resource", "terraform_data"]);

/** One stack in the hands of Terraform or OpenTofu, which alone reads and writes its state. */
export class EngineStack {
  private lock: Lock | undefined;
  private variables: Variables = {};
  /** True if the configuration may have provisioners. */
  private provisions = true;
  private identity: Pick<StackPlan, "stack" | "workspace">;

  constructor(
    private readonly engine: OpenEngine,
    readonly entry: StackEntry,
    /** For the plan, which has secrets in plain text. */
    private readonly file: string,
  ) {
    this.identity = { stack: entry.name };
  }

  /** Initializes the folder and plans. Without a plan, the diagnostics have an error. */
  async plan(
    mode: PlanMode,
  ): Promise<{ readonly plan?: StackPlan; readonly diagnostics: readonly Diagnostic[] }> {
    return this.serving((served) => this.planWith(served, mode));
  }

  /** Applies the plan. @param event - called with the messages about objects */
  async apply(event: (message: UiMessage) => void, pace: ApplyPace = {}): Promise<AppliedStack> {
    return this.serving((served) => {
      served.setPace(pace);
      return this.applyWith(event);
    });
  }

  /** True if only the providers of this process, which wait before they write, have effects. */
  isPaced({ changes }: StackPlan): boolean {
    return (
      !this.provisions &&
      changes.every(
        ({ type, action }) =>
          action === "no-op" ||
          action === "read" ||
          PACED_TYPES.has(type) ||
          cwpProvider.resources.some((one) => one.type === type),
      )
    );
  }

  async close(): Promise<readonly Diagnostic[]> {
    const { lock } = this;
    this.lock = undefined;
    return (await lock?.release()) ?? [];
  }

  /** Serves the providers for one step only, since a run may have thousands of stacks. */
  private async serving<T>(step: (served: ServedProviders) => Promise<T>): Promise<T> {
    const served = await this.engine.serve(this.entry.directory);
    this.variables = { ...this.variables, ...served.environment };
    try {
      return await step(served);
    } finally {
      await served.close();
    }
  }

  private async planWith(served: ServedProviders, mode: PlanMode) {
    const opened = await this.open(served);
    if (hasErrors(opened)) return { diagnostics: opened };
    const { options, variables } = this.engine;
    const args = planArguments(mode, options, variables.files, this.file);
    const planned = await this.run(args);
    const diagnostics = [...opened, ...served.restore(planned.diagnostics)];
    if (hasErrors(diagnostics)) return { diagnostics };
    const read = await this.readPlan(served, mode);
    return { ...read, diagnostics: [...diagnostics, ...read.diagnostics] };
  }

  private async applyWith(event: (message: UiMessage) => void): Promise<AppliedStack> {
    const { options, variables } = this.engine;
    const args = applyArguments(options, variables.files, this.file);
    const { counts, outputs, diagnostics } = await this.run(args, event);
    const complete = !hasErrors(diagnostics);
    return {
      ...this.identity,
      counts: counts ?? { add: 0, change: 0, destroy: 0, import: 0 },
      complete,
      state: complete ? { ...emptyState(), outputs } : undefined,
      diagnostics,
    };
  }

  private async open(served: ServedProviders): Promise<readonly Diagnostic[]> {
    const { engine, entry } = this;
    const { terminal, program, version, options, environment } = engine;
    const read = await readConfiguration(entry);
    if ("problem" in read) return [read.problem];
    const { directory } = entry;
    const selected = await selectedWorkspace(directory, environment);
    const { workspace } = selected;
    if (workspace === undefined) return selected.diagnostics;
    this.identity = planIdentity({ ...entry, workspace });
    this.variables = {
      ...environment,
      ...secretsOf(read.json, environment),
      ...served.environment,
    };
    const handed = await handOver({
      terraform: terraformBlock(read.json),
      directory,
      workspace,
      environment,
      operation: `${program} ${engine.operation}`,
      waitMs: options.lockTimeout,
    });
    this.lock = handed.lock;
    if (hasErrors(handed.diagnostics)) return handed.diagnostics;
    const configuration = read.json;
    const { config } = await parseStack(configuration, { ...entry, workspace });
    this.provisions = !config || provisionersOf(config).length > 0;
    const checked = await this.checkBackend(terraformBlock(configuration), workspace);
    if (hasErrors(checked.diagnostics)) return [...handed.diagnostics, ...checked.diagnostics];
    const request = { terminal, program, version, stack: entry, configuration };
    const { replacesBackend } = checked;
    const initialized = { ...request, replacesBackend, environment: this.variables };
    return [...handed.diagnostics, ...(await initialize(initialized))];
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

  private async readPlan(served: ServedProviders, mode: PlanMode) {
    const { terminal, program } = this.engine;
    const { directory } = this.entry;
    const { variables: environment, identity } = this;
    const shown = await runProgram(terminal, program, ["show", "-json", this.file], {
      directory,
      environment,
    });
    if (shown.kind === "missing" || shown.code !== 0) {
      return { diagnostics: [this.failed(shown.kind === "ended" ? shown.err : "")] };
    }
    const { plans, diagnostics } = readPlanJson(
      documentIn(shown.out),
      identity.stack,
      this.file,
      PLAN_PROVIDERS,
    );
    const [plan] = plans;
    return {
      ...(plan && { plan: served.complete({ ...plan, ...identity, mode }) }),
      diagnostics,
    };
  }

  private async run(
    args: readonly string[],
    event?: (message: UiMessage) => void,
  ): Promise<Messages> {
    const { terminal, program } = this.engine;
    const { directory } = this.entry;
    const reader = new MessageReader(event);
    const ended = await runProgram(terminal, program, args, {
      directory,
      environment: this.variables,
      line: reader.read,
    });
    const { result } = reader;
    const isDone = ended.kind === "ended" && ended.code === 0;
    if (isDone || hasErrors(result.diagnostics)) return result;
    const output = ended.kind === "ended" ? `${result.rest}\n${ended.out}${ended.err}` : "";
    return { ...result, diagnostics: [...result.diagnostics, this.failed(output)] };
  }

  private failed(output: string): Diagnostic {
    const { program } = this.engine;
    const { name, directory } = this.entry;
    const text = output.trim();
    const said = printed`, and printed:\n\n${block(text)}`;
    return error(
      `${NAMES[program]} failed`,
      printed`"${program}" failed for stack "${name}", in ${directory}${text === "" ? "." : said}`,
    );
  }
}

function provisionersOf({ resources, removals }: StackConfig) {
  return [...resources.values(), ...removals].flatMap(({ provisioners }) => provisioners);
}

/** The file of a stack's plan in a folder. */
export function planFileOf(folder: string, index: number): string {
  return join(folder, `${index}.tfplan`);
}
