import { spawn } from "node:child_process";
import { z } from "zod";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { withoutVariables, type SecretSource } from "../../runtime/config/variable-sources";
import type { Terminal } from "../terminal/terminal";

const NOT_CHANGED = "Nothing was planned or changed.";

/**
 * Returns a source of secrets that starts a command once, without a shell. The command reads a JSON
 * list of variable names from standard input, and prints a JSON object with their values; a secret
 * that it does not find is null or absent. Its standard error is shown. Its environment lacks the
 * variables of the run's secrets. Its standard output is never shown.
 *
 * @param words the program and its arguments
 */
export function secretsFrom(words: readonly string[], terminal: Terminal): SecretSource {
  return async ({ names, ephemeral }) => {
    const environment = withoutVariables(terminal.environment, ephemeral);
    const ended = await runCommand(words, JSON.stringify(names), environment, terminal);
    if (ended.kind === "failed") {
      const detail = `${JSON.stringify(words[0])} ${ended.how}. ${NOT_CHANGED}`;
      return failed(error("Secrets command failed", detail));
    }
    return readAnswer(ended.output);
  };
}

type Ended =
  | { readonly kind: "ended"; readonly output: string }
  | { readonly kind: "failed"; readonly how: string };

function runCommand(
  [program = "", ...args]: readonly string[],
  input: string,
  environment: Terminal["environment"],
  terminal: Terminal,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: terminal.directory,
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const release = terminal.onInterrupt((signal) => child.kill(signal));
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", terminal.stderr.write);
    // A command may end without reading the names.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${input}\n`);
    child.once("error", (failure) => {
      release();
      resolve({ kind: "failed", how: `could not be started: ${errorText(failure)}` });
    });
    child.once("close", (code, signal) => {
      release();
      const how =
        code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`;
      resolve(code === 0 ? { kind: "ended", output } : { kind: "failed", how });
    });
  });
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
