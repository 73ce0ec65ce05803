import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { isListValue, isObjectValue, type Value } from "../../provider/values";
import type { LocalExec } from "../config/stack-config";
import { errorAt } from "../evaluation/located";
import { convert } from "../expressions/convert";
import { marksWithin, unmark } from "../expressions/evaluated";
import type { Expression } from "../expressions/expression";
import type { Scope } from "../expressions/scope";
import { STRING, type Type } from "../expressions/types";

export interface LocalExecContext {
  /** With `self`, and `each` or `count` where the block has them. */
  readonly scope: Scope;
  /** The stack's folder: where `working_dir` starts. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line of what the command prints. */
  readonly output: (line: string) => void;
  /** Aborted: the command and all that it started are ended. */
  readonly signal: AbortSignal;
}

const DEFAULT_INTERPRETER = ["/bin/sh", "-c"];
const KILL_AFTER_MS = 5_000;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly quiet: boolean;
  /** A secret is in it: neither it nor what it prints is shown. */
  readonly secret: boolean;
}

/** Runs a `local-exec` provisioner, in a process group of its own. Never throws. */
export async function runLocalExec(
  provisioner: LocalExec,
  context: LocalExecContext,
): Promise<readonly Diagnostic[]> {
  const { command, diagnostics } = prepare(provisioner, context);
  if (!command) return diagnostics;
  const { output } = context;
  if (command.secret) output("(output suppressed due to sensitive value in config)");
  if (!command.quiet && !command.secret) {
    const words = [command.program, ...command.args].map((word) => JSON.stringify(word));
    output(`Executing: [${words.join(" ")}]`);
  } else if (!command.secret) {
    output("local-exec: Executing: Suppressed by quiet=true");
  }
  const problem = await execute(command, context);
  if (problem === undefined) return diagnostics;
  return [...diagnostics, errorAt(provisioner.where, "local-exec provisioner error", problem)];
}

function prepare(
  provisioner: LocalExec,
  { scope, directory }: LocalExecContext,
): { command?: Command; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let secret = false;
  const evaluate = (expression: Expression | undefined, type: Type): Value => {
    if (!expression) return null;
    const evaluated = expression.evaluate(scope);
    const { value, problems } = convert(evaluated.value, type);
    const marks = marksWithin(value);
    secret ||= marks.sensitive || marks.ephemeral;
    diagnostics.push(
      ...evaluated.diagnostics,
      ...problems.map(({ message }) =>
        errorAt(expression.where, "Incorrect attribute value type", `${message}.`),
      ),
    );
    return unmark(value).value;
  };
  const script = evaluate(provisioner.command, STRING);
  const interpreter = evaluate(provisioner.interpreter, { kind: "list", element: STRING });
  const workingDir = evaluate(provisioner.workingDir, STRING);
  const environment = evaluate(provisioner.environment, { kind: "map", element: STRING });
  const quiet = evaluate(provisioner.quiet, { kind: "bool" });
  if (typeof script !== "string" || script === "") {
    diagnostics.push(
      errorAt(
        provisioner.where,
        "Invalid local-exec provisioner command",
        "local-exec provisioner command must be a non-empty string, and known by now.",
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
      // Terraform runs commands where it runs itself: in the folder of the stack.
      workingDir: resolve(directory, typeof workingDir === "string" ? workingDir : "."),
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

/** What went wrong; undefined where the command ended with 0. */
function execute(command: Command, context: LocalExecContext): Promise<string | undefined> {
  const { program, args, workingDir, environment, secret } = command;
  const child = spawn(program, args, {
    cwd: workingDir,
    env: { ...context.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: an interrupt at the terminal does not reach it, and all of it can be ended.
    detached: true,
  });
  const printed: string[] = [];
  const lines = [child.stdout, child.stderr].map((stream) => {
    const reader = createInterface({ input: stream });
    reader.on("line", (line) => {
      if (secret) return;
      printed.push(line);
      if (printed.length > SHOWN_LINES) printed.shift();
      context.output(line);
    });
    return new Promise((closed) => reader.once("close", closed));
  });
  let hardKill: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  const abort = () => {
    end("SIGINT");
    hardKill = setTimeout(end, KILL_AFTER_MS, "SIGKILL");
  };
  context.signal.addEventListener("abort", abort, { once: true });
  if (context.signal.aborted) abort();

  return new Promise((resolved) => {
    const settle = (problem: string | undefined) => {
      clearTimeout(hardKill);
      context.signal.removeEventListener("abort", abort);
      resolved(problem);
    };
    child.once("error", ({ message }) => {
      settle(`The command could not be started: ${message}.`);
    });
    child.once("exit", (code, signal) => {
      // What it left running in the background may hold its output open.
      void Promise.race([Promise.all(lines), delay(DRAIN_MS)]).then(() => {
        settle(code === 0 ? undefined : failureText(command, code, signal, printed));
      });
    });
  });
}

const SHOWN_LINES = 20;
const DRAIN_MS = 1_000;

function delay(ms: number): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, ms).unref();
  });
}

function failureText(
  { secret, quiet, args }: Command,
  code: number | null,
  signal: NodeJS.Signals | null,
  printed: readonly string[],
): string {
  const how =
    code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit status ${code}`;
  if (secret) return `The command ${how}. It holds a sensitive value, so it is not shown.`;
  const script = quiet ? "The command" : `Error running command ${JSON.stringify(args.at(-1))}: it`;
  return `${script} ${how}. Output: ${printed.join("\n")}`;
}

function strings(values: readonly Value[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}
