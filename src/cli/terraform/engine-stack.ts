import { join } from "node:path";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { emptyState } from "../../core/documents/state";
import { DEFAULT_WORKSPACE } from "../../core/workspace";
import { readPlanJson } from "../../formats/json/read-plan";
import type { UiMessage } from "../../formats/ui-stream/message";
import { cwpProvider } from "../../provider/cwp-provider";
import type { AppliedStack, PlanMode, StackPlan } from "../../runtime";
import { parseStack, type StackConfig, type StackEntry } from "../../language";
import { PLAN_PROVIDERS } from "../stacks/built-in-schema";
import { applyArguments, planArguments } from "./arguments";
import type { OpenEngine } from "./engine";
import { EngineFolder } from "./engine-folder";
import { documentIn, MessageReader, type Messages } from "./messages";
import type { ApplyPace } from "./observed-provider";
import { errorOutput } from "./process";
import type { ServedProviders } from "./served-providers";

/** Resources without an effect outside of the state. */
const PACED_TYPES = new Set(["null_resource", "terraform_data"]);

/** One stack in the hands of Terraform or OpenTofu, which alone reads and writes its state. */
export class EngineStack {
  private readonly folder: EngineFolder;
  /** True if the configuration may have provisioners. */
  private provisions = true;

  constructor(
    private readonly engine: OpenEngine,
    readonly entry: StackEntry,
    /** For the plan, which has secrets in plain text. */
    private readonly file: string,
  ) {
    this.folder = new EngineFolder(engine, entry);
  }

  /** Initializes the folder and plans. Without a plan, the diagnostics have an error. */
  async plan(
    mode: PlanMode,
  ): Promise<{ readonly plan?: StackPlan; readonly diagnostics: readonly Diagnostic[] }> {
    return this.folder.serving((served) => this.planWith(served, mode));
  }

  /** Applies the plan. @param event - called with the messages about objects */
  async apply(event: (message: UiMessage) => void, pace: ApplyPace = {}): Promise<AppliedStack> {
    return this.folder.serving((served) => {
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

  close(): Promise<readonly Diagnostic[]> {
    return this.folder.close();
  }

  private async planWith(served: ServedProviders, mode: PlanMode) {
    const { configuration, diagnostics: opened } = await this.folder.open(served, "plan");
    if (hasErrors(opened)) return { diagnostics: opened };
    const { workspace = DEFAULT_WORKSPACE } = this.folder.identity;
    const { config } = await parseStack(configuration, { ...this.entry, workspace });
    this.provisions = !config || provisionersOf(config).length > 0;
    const { options, variables } = this.engine;
    const args = planArguments(mode, options, variables.files, this.file);
    const planned = await this.run(args, { plan: this.file });
    const diagnostics = [...opened, ...served.restore(planned.diagnostics)];
    if (hasErrors(diagnostics)) return { diagnostics };
    const read = await this.readPlan(served, mode);
    return { ...read, diagnostics: [...diagnostics, ...read.diagnostics] };
  }

  private async applyWith(event: (message: UiMessage) => void): Promise<AppliedStack> {
    const { options, variables } = this.engine;
    const args = applyArguments(options, variables.files, this.file);
    const { counts, outputs, diagnostics } = await this.run(args, { event });
    const complete = !hasErrors(diagnostics);
    return {
      ...this.folder.identity,
      counts: counts ?? { add: 0, change: 0, destroy: 0, import: 0 },
      complete,
      state: complete ? { ...emptyState(), outputs } : undefined,
      diagnostics,
    };
  }

  private async readPlan(served: ServedProviders, mode: PlanMode) {
    const { identity } = this.folder;
    const shown = await this.folder.run(["show", "-json", this.file]);
    if (shown.kind === "missing" || shown.code !== 0) {
      return { diagnostics: [this.folder.failed(errorOutput(shown))] };
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
    { event, ...files }: { readonly event?: (message: UiMessage) => void; readonly plan?: string },
  ): Promise<Messages> {
    const reader = new MessageReader(event);
    const ended = await this.folder.run(args, { line: reader.read, ...files });
    const { result } = reader;
    const isDone = ended.kind === "ended" && ended.code === 0;
    if (isDone || hasErrors(result.diagnostics)) return result;
    const output = ended.kind === "ended" ? `${result.rest}\n${ended.out}${ended.err}` : "";
    return { ...result, diagnostics: [...result.diagnostics, this.folder.failed(output)] };
  }
}

function provisionersOf({ resources, removals }: StackConfig) {
  return [...resources.values(), ...removals].flatMap(({ provisioners }) => provisioners);
}

/** The file of a stack's plan in a folder. */
export function planFileOf(folder: string, index: number): string {
  return join(folder, `${index}.tfplan`);
}
