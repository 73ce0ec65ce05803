import { z } from "zod";
import { error, type Diagnostic } from "../../core/diagnostics";
import { childEnvironment } from "../../core/io/child-environment";
import { failureOfProgram, startProgram, type ProgramEnd } from "../../core/io/program";
import type { SecretSource } from "../../language";
import { ProgramOutput } from "../terminal/program-output";
import type { Terminal } from "../terminal/terminal";

const NOT_CHANGED = "Nothing was planned or changed.";

/**
 * Returns a source of secrets that starts a command once, without a shell. The command reads a JSON
 * list of variable names from standard input, and prints a JSON object with their values; a secret
 * that it does not find is null or absent. Its standard error is shown. Its environment is that of
 * `childEnvironment`. Its standard output is never shown.
 *
 * @param words the program and its arguments
 */
export function secretsFrom(words: readonly string[], terminal: Terminal): SecretSource {
  return async ({ names, ephemeral }) => {
    const environment = childEnvironment(terminal.environment, ephemeral);
    const ended = await runCommand(words, JSON.stringify(names), environment, terminal);
    const how = failureOfProgram(ended);
    if (ended.kind === "not-started" || how !== undefined) {
      const detail = `${JSON.stringify(words[0])} of --secrets-command ${how ?? "failed"}. ${NOT_CHANGED} Correct it, and run this again.`;
      return failed(error("Secrets command failed", detail));
    }
    return readAnswer(ended.printed.out);
  };
}

/** Commands ask other services, and some of them a person. */
const LIMIT_MS = 10 * 60_000;
/** A run has at most some thousands of secrets. */
const LIMIT_BYTES = 16 * 1024 * 1024;

async function runCommand(
  [program = "", ...args]: readonly string[],
  input: string,
  environment: Terminal["environment"],
  terminal: Terminal,
): Promise<ProgramEnd> {
  const shown = new ProgramOutput(terminal.stderr);
  const running = startProgram({
    program,
    args,
    directory: terminal.directory,
    environment,
    input: `${input}\n`,
    err: shown.add,
    limitMs: LIMIT_MS,
    limitBytes: LIMIT_BYTES,
  });
  const release = terminal.onInterrupt(running.kill);
  const ended = await running.end;
  release();
  shown.end();
  return ended;
}

const answer = z.record(z.string(), z.string().nullable());

/** Reads the output. Errors name variables and contain no value. */
function readAnswer(output: string): Awaited<ReturnType<SecretSource>> {
  let json: unknown;
  try {
    json = JSON.parse(output);
  } catch {
    return invalid("The output is not JSON.");
  }
  const read = answer.safeParse(json);
  if (!read.success) {
    const names = read.error.issues.flatMap(({ path }) => path.map(String));
    return invalid(
      names.length === 0
        ? "The output is not a JSON object."
        : `These values are not strings: ${names.join(", ")}.`,
    );
  }
  // An empty secret is none: consoles refuse it.
  const values = Object.entries(read.data).flatMap(([name, value]): [string, string][] =>
    value === null || value === "" ? [] : [[name, value]],
  );
  return { values: new Map(values), diagnostics: [] };
}

function invalid(reason: string) {
  return failed(
    error(
      "Invalid answer of the secrets command",
      `${reason} The command must print one JSON object with the value of each variable, or null. ${NOT_CHANGED}`,
    ),
  );
}

function failed(problem: Diagnostic) {
  return { values: new Map<string, string>(), diagnostics: [problem] };
}
