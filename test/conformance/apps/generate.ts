import type { StackJson } from "../../cli/stack-files";
import { Draw } from "../random/draw";
import { formsOf } from "./forms";
import { FOLDER, SECRET, type App, type Step } from "./app";

const NAMES = ["a", "b", "c", "d", "e"] as const;

type Failure = "none" | "validation" | "plan" | "read" | "create" | "delete";

interface Output {
  readonly name: string;
  readonly kind: "string" | "list" | "object";
  /** It is known only after an apply. */
  readonly isLate: boolean;
  readonly isSecret: boolean;
}

/** Generates scenario `index` of a seed: an app of two to five stacks, and commands over it. */
export function generate(seed: number, index: number): readonly Step[] {
  const draw = new Draw(seed + Math.imul(index, 0x9e3779b1));
  const count = draw.of([2, 3, 3, 4, 4, 5]);
  const failing = draw.chance(0.7)
    ? draw.of(["validation", "plan", "read", "create", "delete"] as const)
    : "none";
  const member = draw.of(NAMES.slice(0, count));
  const shape = draw.seed();
  const appOf = (version: number, failure: Failure) =>
    new AppDraft(new Draw(shape), version, count, { member, failure }).app();
  const names = NAMES.slice(0, count);
  const sound = appOf(1, "none");
  const steps: Step[] = [{ app: sound, ...applyStep(draw) }];
  const changes = 1 + draw.below(3);
  for (let version = 2; version < 2 + changes; version++) {
    const isFailing = failing !== "none" && draw.chance(0.6);
    const app = appOf(version, isFailing ? failing : "none");
    const operations =
      isFailing && ["read", "create", "delete"].includes(failing) ? [`${failing} x-${member}`] : [];
    steps.push({ app, ...commandOf(draw, names), failing: operations });
  }
  if (draw.chance(0.5)) steps.push({ app: appOf(9, "none"), ...applyStep(draw) });
  steps.push({ command: "plan" }, { command: "plan" });
  if (draw.chance(0.7)) {
    steps.push({
      command: "destroy",
      ...(draw.chance(0.3) && { refresh: false }),
      ...(failing === "delete" && { failing: [`delete x-${member}`] }),
      ...(failing === "read" && { failing: [`read x-${member}`] }),
      ...(failing === "plan" && { app: appOf(10, "plan") }),
    });
    if (draw.chance(0.5)) steps.push({ command: "destroy" });
  }
  return steps;
}

function applyStep(draw: Draw): Step {
  return { command: "apply", inFile: draw.chance(0.3) };
}

function commandOf(draw: Draw, names: readonly string[]): Step {
  const some = draw.chance(0.35) ? { stacks: draw.some(names, 1) } : {};
  const refresh = draw.chance(0.2) ? { refresh: false } : {};
  return draw.weighted<Step>([
    [6, { ...applyStep(draw), ...some, ...refresh }],
    [1, { command: "plan", ...some, ...refresh }],
    [1, { command: "validate" }],
    [2, { command: "destroy", ...some, ...refresh }],
    [
      1,
      {
        command: draw.of(["apply", "destroy"]),
        stacks: [draw.of(names)],
        targets: [draw.of(["terraform_data.d0", "null_resource.x"])],
      },
    ],
  ]);
}

/** Draws the stacks of an app. Versions of one shape differ in values and in some blocks. */
class AppDraft {
  readonly #stacks: Record<string, StackJson> = {};
  readonly #declared: Record<string, readonly string[]> = {};
  readonly #derived: Record<string, readonly string[]> = {};
  readonly #outputs = new Map<string, readonly Output[]>();
  readonly #files: Record<string, Readonly<Record<string, string>>> = {};

  constructor(
    private readonly draw: Draw,
    private readonly version: number,
    private readonly count: number,
    private readonly failing: { readonly member: string; readonly failure: Failure },
  ) {}

  app(): App {
    for (const name of NAMES.slice(0, this.count)) this.stack(name);
    return {
      stacks: this.#stacks,
      declared: this.#declared,
      derived: this.#derived,
      files: this.#files,
    };
  }

  /** A value that differs in some versions. */
  text(): string {
    const base = `v${this.draw.below(9)}`;
    return this.draw.chance(0.4) ? `${base}.${this.version}` : base;
  }

  stack(name: string): void {
    const { draw } = this;
    const earlier = Object.keys(this.#stacks);
    const reads = earlier.length === 0 ? [] : draw.some(earlier, draw.chance(0.9) ? 1 : 0, 2);
    const isDeclared = draw.chance(0.8);
    this.#derived[name] = reads;
    const others = earlier.filter((one) => !reads.includes(one) && draw.chance(0.2));
    this.#declared[name] = [...(isDeclared ? reads : []), ...others];
    const outside = { backend: "local", config: { path: `${FOLDER}/outside.tfstate` } };
    const states = reads.map((one): [string, object] => [
      one,
      { backend: "local", config: { path: `${FOLDER}/terraform.${one}.tfstate` } },
    ]);
    const resource = this.resources(name, reads);
    const forms = formsOf({
      ...{ draw, name, number: this.version, states: Object.fromEntries(states) },
      candidates: this.candidates(reads).map(({ path, output: { isLate, kind } }) => ({
        ...{ path, isLate, isList: kind === "list" },
      })),
    });
    this.#files[name] = merged(forms.map(({ files }) => files));
    this.#stacks[name] = {
      ...merged(forms.map(({ blocks }) => blocks)),
      locals: { secret: `\${sensitive("${SECRET}-${name}-${this.text()}")}` },
      data: { terraform_remote_state: { ...Object.fromEntries(states), outside } },
      resource: {
        ...resource,
        terraform_data: merged([resource.terraform_data, ...forms.map(({ data }) => data)]),
      },
      output: this.outputs(name, reads, Object.keys(resource.terraform_data)),
    };
  }

  resources(name: string, reads: readonly string[]) {
    const { draw } = this;
    const { member, failure } = this.failing;
    const isFailing = member === name;
    const data: Record<string, object> = {};
    const count = 1 + draw.below(3);
    for (let number = 0; number < count; number++) {
      const block = {
        input: draw.chance(0.3) ? this.text() : this.value(reads),
        ...(draw.chance(0.2) && { triggers_replace: this.value(reads) }),
        ...(draw.chance(0.2) && this.repetition(reads)),
        ...(number > 0 && draw.chance(0.3) && { depends_on: ["terraform_data.d0"] }),
      };
      const isDropped = draw.chance(0.2) && this.version % 2 === 0 && number > 0;
      if (!isDropped) data[`d${number}`] = block;
    }
    const late = "${data.terraform_remote_state.outside.outputs.text}";
    if (isFailing && failure === "plan") data.p = { input: `\${tonumber("${late}")}` };
    if (isFailing && failure === "validation") data.p = { input: "${local.nowhere}" };
    // It is created and destroyed in every second version, so that both operations may fail.
    const trigger = draw.chance(0.5) ? this.version : "steady";
    return {
      terraform_data: data,
      null_resource: { x: { triggers: { name: `x-${name}`, version: String(trigger) } } },
    };
  }

  /** A repetition over a known value, or over an output that is known. */
  repetition(reads: readonly string[]): object {
    const isSound = this.failing.failure === "none";
    const known = this.candidates(reads).filter(
      ({ output }) => !output.isSecret && (!output.isLate || (isSound && this.draw.chance(0.1))),
    );
    const list = known.filter(({ output }) => output.kind === "list");
    const texts = known.filter(({ output }) => output.kind === "string");
    const { draw } = this;
    if (list.length > 0 && draw.chance(0.5)) {
      return { count: `\${length(${draw.of(list).path})}` };
    }
    if (texts.length > 0) return { for_each: `\${toset([${draw.of(texts).path}, "one"])}` };
    return { count: draw.below(3) };
  }

  candidates(reads: readonly string[]) {
    return reads.flatMap((from) =>
      (this.#outputs.get(from) ?? []).map((output) => ({
        output,
        path: `data.terraform_remote_state.${from}.outputs["${output.name}"]`,
      })),
    );
  }

  /** An expression over an output of another stack. */
  value(reads: readonly string[]): unknown {
    const { draw } = this;
    const all = this.candidates(reads);
    if (all.length === 0) return draw.of<unknown>([this.text(), [this.text()], { k: 1 }]);
    const { path, output } = draw.of(all);
    const whole = `\${${path}}`;
    const forms: unknown[] = [
      whole,
      [whole, "x"],
      { k: whole },
      `\${jsonencode(${path})}`,
      `\${try(${path}, "none")}`,
    ];
    if (output.kind === "string") forms.push(`x-${whole}`, `\${upper(${path})}`);
    if (output.kind === "list")
      forms.push(`\${[for one in ${path} : "<\${one}>"]}`, `\${toset(${path})}`);
    if (output.kind === "object") forms.push(`\${${path}.k}`, `\${keys(${path})}`);
    return draw.of(forms);
  }

  outputs(name: string, reads: readonly string[], data: readonly string[]): object {
    const { draw } = this;
    const outputs: Record<string, object> = {};
    const known: Output[] = [];
    const count = 1 + draw.below(3);
    for (let number = 0; number < count; number++) {
      const handed = this.candidates(reads);
      const [value, kind, isLate, isSecret] = draw.of<
        readonly [unknown, Output["kind"], boolean, boolean]
      >([
        [this.text(), "string", false, false],
        [[this.text(), "l"], "list", false, false],
        [{ k: this.text(), none: null, n: 1 }, "object", false, false],
        ["${null_resource.x.id}", "string", true, false],
        ["${local.secret}", "string", false, true],
        [{ k: "${local.secret}", id: "${null_resource.x.id}" }, "object", true, true],
        ...(data.length > 0
          ? [
              [
                `\${jsonencode(terraform_data.${data[0] ?? ""}[*].id)}`,
                "string",
                true,
                false,
              ] as const,
            ]
          : []),
        ...handed.map(
          ({ path, output }) =>
            [`\${${path}}`, output.kind, output.isLate, output.isSecret] as const,
        ),
      ]);
      const isGenerated = draw.chance(0.6);
      const isDeclared = isSecret && !handed.some(({ path }) => value === `\${${path}}`);
      const output = `${isGenerated ? "cross-stack-output-" : ""}${name}${number}`;
      outputs[output] = {
        value,
        ...((isGenerated || isDeclared || draw.chance(0.2)) && { sensitive: true }),
      };
      known.push({ name: output, kind, isLate, isSecret });
    }
    this.#outputs.set(name, known);
    return outputs;
  }
}

function merged<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
}
