import { planWaves, type PlannedWave } from "../fleet/rollout/waves";
import type { InputUnit, RolloutInput } from "./input";
import type { RunReport } from "./run-report";
import { awaitedIn, stacksOfUnits } from "./units";

/** The stacks of a run, by what its report has about them. */
export class RunStacks {
  constructor(
    private readonly input: RolloutInput,
    private readonly report: RunReport,
  ) {}

  /** The units with a stack that has neither a plan nor a result. */
  unplanned(): readonly InputUnit[] {
    const { report } = this;
    return this.input.units.filter(({ stacks }) =>
      stacks.some(({ name }) => !report.plan(name) && !report.outcome(name)),
    );
  }

  /** The stacks with a plan and without a result. */
  left(stacks: readonly string[]): readonly string[] {
    const { report } = this;
    return stacks.filter((stack) => report.plan(stack) && !report.outcome(stack));
  }

  /** Divides the stacks with a plan. A stack that no wave takes is refused before a run starts. */
  waves(): readonly PlannedWave[] {
    const { input, report } = this;
    const stacks = this.left(stacksOfUnits(input.units));
    if (!input.waves) return [{ stacks }];
    const all = input.units.flatMap((unit) => unit.stacks);
    const labels = new Map(all.map((stack) => [stack.name, stack.labels ?? {}]));
    const changed = new Set(stacks.filter((stack) => report.plan(stack)?.changed));
    const awaited = awaitedIn(input.units.map((unit) => ({ stacks: stacksOfUnits([unit]) })));
    const request = { stacks, changed, awaited, waves: input.waves };
    return planWaves({ ...request, labels: (stack) => labels.get(stack) ?? {} }).waves;
  }

  /** The number of units of which a stack has failed. */
  failedUnits(): number {
    const failed = new Set(this.report.having("failed"));
    const hasFailed = ({ stacks }: InputUnit) => stacks.some(({ name }) => failed.has(name));
    return this.input.units.filter(hasFailed).length;
  }

  /** The number of these stacks whose plans change something. */
  changed(stacks: readonly string[]): number {
    return stacks.filter((stack) => this.report.plan(stack)?.changed).length;
  }
}
