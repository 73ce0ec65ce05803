import { z } from "zod";

const stacks = { stack: z.string().optional(), stacks: z.array(z.string()).optional() };

const line = z.discriminatedUnion("type", [
  z.object({
    ...stacks,
    type: z.literal("run_start"),
    run: z.object({ stacks: z.array(z.string()) }),
  }),
  z.object({
    ...stacks,
    type: z.literal("planned_change"),
    change: z.object({ action: z.string(), resource: z.object({ addr: z.string() }) }),
  }),
  z.object({ ...stacks, type: z.literal("change_summary") }),
  z.object({
    ...stacks,
    type: z.literal("outputs"),
    outputs: z.record(z.string(), z.object({ action: z.string().optional() })),
  }),
  z.object({
    ...stacks,
    type: z.literal("stack_result"),
    result: z.object({ status: z.string() }),
  }),
  z.object({
    ...stacks,
    type: z.literal("diagnostic"),
    diagnostic: z.object({
      severity: z.string(),
      summary: z.string(),
      detail: z.string(),
      construct_path: z.string().optional(),
    }),
  }),
]);

const KNOWN = new Set(line.options.map(({ shape }): string => shape.type.value));

export type FoundDiagnostic = Extract<
  z.infer<typeof line>,
  { type: "diagnostic" }
>["diagnostic"] & {
  readonly stacks: readonly string[];
};

/** The lines of `--json` of one run, as they are printed. */
export class RunOutput {
  readonly lines: string[] = [];
  readonly diagnostics: FoundDiagnostic[] = [];
  /** The results of stacks that were applied or excluded. */
  readonly results = new Map<string, string>();
  /** The changes that the plans have shown, by stack and address. */
  readonly changes = new Map<string, Map<string, string>>();
  /** True once plans were shown. */
  isPlanned = false;

  /** @param selected - the stacks of the run; the lines of a run of one do not name it */
  constructor(public selected: readonly string[]) {}

  add(text: string): void {
    this.lines.push(text);
    const json = JSON.parse(text) as { readonly type: string };
    if (!KNOWN.has(json.type)) return;
    const read = line.parse(json);
    const only = this.selected.length === 1 ? this.selected : [];
    const named = read.stacks ?? (read.stack === undefined ? only : [read.stack]);
    switch (read.type) {
      case "run_start":
        this.selected = read.run.stacks;
        break;
      case "diagnostic":
        this.diagnostics.push({ ...read.diagnostic, stacks: named });
        break;
      case "stack_result":
        for (const stack of named) this.results.set(stack, read.result.status);
        break;
      case "planned_change":
        this.addChange(named, read.change.resource.addr, read.change.action);
        break;
      case "outputs":
        for (const [name, { action = "noop" }] of Object.entries(read.outputs)) {
          // Those after an apply have no action.
          this.addChange(named, `output.${name}`, action);
        }
        break;
      case "change_summary":
        this.isPlanned = true;
    }
  }

  /** The results of the stacks that a run has started, and not completed. */
  get failed(): readonly string[] {
    const failures = [...this.results].filter(([, status]) => /failed|interrupted/.test(status));
    return failures.map(([stack]) => stack);
  }

  private addChange(stacks: readonly string[], address: string, action: string): void {
    if (action === "noop" || action === "read") return;
    for (const stack of stacks) {
      const changes = this.changes.get(stack) ?? new Map<string, string>();
      this.changes.set(stack, changes.set(address, action));
    }
  }
}
