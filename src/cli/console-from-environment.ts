import { ConsoleError } from "../api/errors";
import { configurationAttributes } from "../provider/configuration/configuration-attributes";
import { configure } from "../provider/configuration/configure";
import type { Console } from "../provider/console/connection";
import type { Environment } from "../provider/definitions/provider-definition";
import type { Diagnostic } from "../provider/diagnostics";
import { diagnose } from "../provider/console/diagnose";
import type { Log } from "../provider/log";
import { ExitCode } from "./exit-code";
import type { Screen } from "./terminal/screen";

/**
 * The console that a command without a stack works on: a provider block that says nothing, so that
 * all of it comes from CONSOLE_URL, CONSOLE_USERNAME and so on. Connects to nothing. Without a
 * console the diagnostics have errors, in the words of the environment. The caller closes its client.
 */
export async function consoleFromEnvironment(
  environment: Environment,
  log: Log,
): Promise<{ readonly console: Console | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  const names = Object.keys(configurationAttributes);
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  const { connection, diagnostics } = await configure(empty, environment, log, process.cwd());
  return { console: connection, diagnostics: diagnostics.map(inWordsOfEnvironment) };
}

/**
 * Runs what reads from the environment's console, and closes it. An interrupt aborts the signal, so
 * that the first one ends the command. Errors of the API are reported.
 */
export async function withConsole(
  screen: Screen,
  work: (console: Console, signal: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal, log } = screen;
  const { console, diagnostics } = await consoleFromEnvironment(terminal.environment, log);
  if (screen.report(diagnostics) || !console) return ExitCode.ERROR;
  const interrupt = new AbortController();
  const release = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  try {
    return await work(console, interrupt.signal);
  } catch (failure) {
    if (!(failure instanceof ConsoleError)) throw failure;
    if (interrupt.signal.aborted) {
      screen.note("\nInterrupted.\n");
      return ExitCode.INTERRUPTED;
    }
    screen.report([explain(failure)]);
    return ExitCode.ERROR;
  } finally {
    release();
    await console.client.close();
  }
}

/** The diagnostic for what a call of such a console threw; see `diagnose`. */
export function explain(failure: unknown): Diagnostic {
  return inWordsOfEnvironment(diagnose(failure));
}

const VARIABLES: Readonly<Record<string, string>> = {
  base_url: "CONSOLE_URL",
  username: "CONSOLE_USERNAME",
  password: "CONSOLE_PASSWORD",
  token: "CONSOLE_TOKEN",
  client_certificate: "CONSOLE_CLIENT_CERT_FILE",
  client_certificate_file: "CONSOLE_CLIENT_CERT_FILE",
  client_key: "CONSOLE_CLIENT_KEY_FILE",
  client_key_file: "CONSOLE_CLIENT_KEY_FILE",
  ca_certificate: "CONSOLE_CA_FILE",
  ca_certificate_file: "CONSOLE_CA_FILE",
  release: "CONSOLE_RELEASE",
};

/** What is said to those who write a provider block, and to those who have none. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid provider configuration$/, "Invalid environment variable"],
  [/^Set base_url in the provider block, or the/, "Set the"],
  [
    /^The provider needs .*, from its block or from the environment.*$/,
    "Set CONSOLE_USERNAME and CONSOLE_PASSWORD, CONSOLE_TOKEN, or CONSOLE_CLIENT_CERT_FILE and CONSOLE_CLIENT_KEY_FILE in the environment.",
  ],
  [/(client_\w+) is not set, nor \1_file/, "$1 is not set"],
  [/ca_certificate or CONSOLE_CA_FILE/, "CONSOLE_CA_FILE"],
  [/; insecure_skip_verify turns verification off/, ""],
  [/; for a console that is always slow, set the provider's request_timeout/, ""],
  [/, or lower the provider's max_concurrency/, ""],
  [/the provider's release/, "CONSOLE_RELEASE"],
  [/the provider's (?=base_url)/, ""],
];

function inWordsOfEnvironment(diagnostic: Diagnostic): Diagnostic {
  const { summary, detail, path = [] } = diagnostic;
  const variable = VARIABLES[String(path[0])];
  return {
    ...diagnostic,
    summary: translated(summary),
    detail: translated(detail).replace(/\b[a-z]+_[a-z_]+\b/g, (name) => VARIABLES[name] ?? name),
    ...(variable !== undefined && { path: [variable] }),
  };
}

function translated(text: string): string {
  return WORDS.reduce((before, [words, others]) => before.replace(words, others), text);
}
