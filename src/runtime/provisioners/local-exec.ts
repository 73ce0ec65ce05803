import { block, printed, type Printed } from "../../core/printed";
import { resolve } from "node:path";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isSecret, marksWithin, unmark } from "../../core/marks";
import { hideSecrets } from "../../core/io/secrets-in-use";
import { isListValue, isObjectValue, type Value } from "../../core/values";
import { errorAt, type LocalExec, type EvaluationScope } from "../../language";
import { evaluateLocalExec } from "../evaluation/local-exec-arguments";
import { runCommand } from "./run-command";

interface LocalExecContext {
  /** With `self`, and `each` or `count` where the block has them. */
  readonly scope: EvaluationScope;
  /** The stack's folder: `working_dir` is relative to it. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each line of output. */
  readonly output: (line: string) => void;
  /** Once aborted, the command's process group is interrupted, and killed after 5 seconds. */
  readonly signal: AbortSignal;
}

const DEFAULT_INTERPRETER = ["/bin/sh", "-c"];
/** The number of output lines in the diagnostic of a failed command. */
const SHOWN_LINES = 20;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly quiet: boolean;
  /** True if it contains a secret: neither the command nor its output is shown. */
  readonly secret: boolean;
}

/** Runs a `local-exec` provisioner in a separate process group. Never throws. */
export async function runLocalExec(
  provisioner: LocalExec,
  context: LocalExecContext,
): Promise<readonly Diagnostic[]> {
  const { command, diagnostics } = prepare(provisioner, context);
  if (!command) return diagnostics;
  context.output(announcement(command));
  const problem = await execute(command, context);
  if (problem === undefined) return diagnostics;
  return [...diagnostics, errorAt(provisioner.where, "local-exec provisioner error", problem)];
}

function announcement({ program, args, quiet, secret }: Command): string {
  if (secret) return "(output suppressed due to sensitive value in config)";
  if (quiet) return "local-exec: Executing: Suppressed by quiet=true";
  return `Executing: [${[program, ...args].map((word) => JSON.stringify(word)).join(" ")}]`;
}

function prepare(
  provisioner: LocalExec,
  { scope, directory }: LocalExecContext,
): { command?: Command; diagnostics: readonly Diagnostic[] } {
  const evaluated = evaluateLocalExec(provisioner, scope);
  const diagnostics = [...evaluated.diagnostics];
  const marks = Object.values(evaluated.values).map(marksWithin);
  const secret = marks.some(isSecret);
  const plain = (name: keyof typeof evaluated.values): Value =>
    unmark(evaluated.values[name]).value;
  const script = plain("command");
  const interpreter = plain("interpreter");
  const workingDir = plain("workingDir");
  const environment = plain("environment");
  const quiet = plain("quiet");
  if (typeof script !== "string" || script === "") {
    diagnostics.push(
      errorAt(
        provisioner.where,
        "Invalid local-exec provisioner command",
        "local-exec provisioner command must be a known, non-empty string.",
      ),
    );
  }
  if (hasErrors(diagnostics) || typeof script !== "string") return { diagnostics };
  const words = isListValue(interpreter) ? strings(interpreter) : [];
  const [program = "/bin/sh", ...args] = words.length > 0 ? words : DEFAULT_INTERPRETER;
  return {
    command: {
      program,
      args: [...args, script],
      // Terraform runs commands in its own working directory, the folder of the stack.
      directory: resolve(directory, typeof workingDir === "string" ? workingDir : "."),
      environment: isObjectValue(environment)
        ? Object.fromEntries(
            Object.entries(environment).flatMap(([name, value]) =>
              typeof value === "string" ? [[name, value]] : [],
            ),
          )
        : {},
      quiet: quiet === true,
      secret,
    },
    diagnostics,
  };
}

/** Runs the command. Returns a description of the error, if any. */
async function execute(
  command: Command,
  context: LocalExecContext,
): Promise<string | Printed | undefined> {
  const lines: string[] = [];
  const environment = { ...context.environment, ...command.environment };
  const ended = await runCommand({ ...command, environment, signal: context.signal }, (said) => {
    if (command.secret) return;
    const line = hideSecrets(said);
    lines.push(line);
    if (lines.length > SHOWN_LINES) lines.shift();
    context.output(line);
  });
  if (ended.kind === "not-started") return `The command could not be started: ${ended.reason}.`;
  if (ended.code === 0) return undefined;
  const how =
    ended.code === null
      ? `was ended by ${ended.signal ?? "a signal"}`
      : `ended with exit status ${ended.code}`;
  if (command.secret)
    return `The command ${how}. It contains a sensitive value, so it is not shown.`;
  const what = command.quiet
    ? "The command"
    : `Error running command ${JSON.stringify(command.args.at(-1))}: it`;
  if (lines.length === 0) return `${what} ${how}.`;
  return printed`${what} ${how}. Output:\n\n${block(lines.join("\n"))}`;
}

function strings(values: readonly Value[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}
