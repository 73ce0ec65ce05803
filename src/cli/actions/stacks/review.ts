import { resolve } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { readFile, textByMark } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { reviewDocument } from "../../../review/json/review-json";
import { withCheckTitles } from "../../../review/protection/check-titles";
import type { StackLabels } from "../../../fleet/selection/labels";
import type { ReadPlans } from "../../../formats/json/read-plan";
import { isSavedPlan, isTerraformPlan } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import { PLAN_PROVIDERS } from "../../stacks/built-in-schema";
import { ProtectionGate, type GateOptions } from "../../stacks/protection-gate";
import { printPlans, type PrintOptions } from "../../stacks/run-report";
import type { ReviewOptions } from "../../stacks/review-options";
import { withFoundPolicies } from "./review-console";
import { writeReviews } from "../../stacks/write-reviews";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export interface ReviewCommandOptions
  extends CommonOptions, GateOptions, PrintOptions, Omit<ReviewOptions, "reviewJson"> {
  /** Print one JSON document. */
  readonly json?: boolean;
  /** Read the policies of the console of the environment. */
  readonly console?: boolean;
  /** Read its running containers, too. */
  readonly live?: boolean;
}

/** Shows plans that Terraform made. */
export async function review(
  terminal: Terminal,
  files: readonly string[],
  options: ReviewCommandOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const fail = async (failure: readonly Diagnostic[], code: ExitCode = ExitCode.ERROR) => {
    screen.report(await writeReviews(terminal, { failure }, options));
    return code;
  };
  // Labels are in no plan.
  const unlabelled = () => Promise.resolve(new Map<string, StackLabels>());
  const unknown = { names: undefined, labels: unlabelled };
  const opened = await ProtectionGate.open(terminal, options, unknown);
  if ("problems" in opened) {
    screen.report(opened.problems);
    return fail(opened.problems);
  }
  const names = stackNames(files);
  const read: ReadPlans[] = [];
  // One after the other: at most one text is in memory.
  for (const [index, file] of files.entries()) {
    if (index % 64 === 63) await world.clock.sleep(0);
    read.push(await readPlans(terminal, file, names[index]));
  }
  const given = read.flatMap((one) => one.plans);
  const diagnostics = [...read.flatMap((one) => one.diagnostics), ...repeatedNames(given)];
  if (screen.report(diagnostics)) return fail(diagnostics);
  const found = options.console
    ? await withFoundPolicies(screen, given, options)
    : { plans: given };
  if ("problems" in found) return fail(found.problems, found.code);
  const plans = withCheckTitles(found.plans, opened.gate.checkTitles);
  const reviewed = { plans, verdict: opened.gate.judge(plans) };
  if (options.json) screen.printDocument(`${JSON.stringify(reviewDocument(reviewed))}\n`);
  else printPlans(screen, plans, plans.length > 1, options);
  if (screen.report(await writeReviews(terminal, reviewed, options))) return ExitCode.ERROR;
  return opened.gate.refuse(screen, plans) ?? ExitCode.DONE;
}

async function readPlans(
  terminal: Terminal,
  file: string,
  name: string | undefined,
): Promise<ReadPlans> {
  const isInput = file === "-";
  const location = isInput ? "standard input" : file;
  const path = resolve(terminal.directory, file);
  try {
    const bytes = isInput ? Buffer.from(await terminal.input()) : await readFile(path);
    if (isTerraformPlan(bytes)) return { plans: [], diagnostics: [binaryPlan(file, "terraform")] };
    if (isSavedPlan(bytes)) return { plans: [], diagnostics: [binaryPlan(file, "cdktf-console")] };
    const { readPlanJson } = await import("../../../formats/json/read-plan.js");
    return readPlanJson(textByMark(bytes), name ?? file, location, PLAN_PROVIDERS);
  } catch (cause) {
    return {
      plans: [],
      diagnostics: [error("File cannot be read", `${location}: ${fileFault(cause, path)}`)],
    };
  }
}

/** The names of files without folder and ending; with the folder where that is not unique. */
function stackNames(files: readonly string[]): readonly string[] {
  const whole = files.map((file) => (file === "-" ? "plan" : file.replace(/\.json$/, "")));
  const short = whole.map((name) => name.split(/[/\\]/).at(-1) ?? name);
  return new Set(short).size === short.length ? short : whole;
}

function repeatedNames(plans: ReadPlans["plans"]): readonly Diagnostic[] {
  const names = plans.map(({ stack }) => stack);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return [];
  return [
    error(
      "Stack is named twice",
      `Two of the plans are of stack "${repeated}". Give each plan once; a stack has the name of its file.`,
    ),
  ];
}

function binaryPlan(file: string, program: string): Diagnostic {
  return error(
    "Plan is not JSON",
    `${file} is a plan file of ${program}. Print it as JSON with "${program} show ${program === "terraform" ? "-json" : "--json"} ${file}", and review that.`,
  );
}
