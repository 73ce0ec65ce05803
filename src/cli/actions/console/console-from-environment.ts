import { RefusedError } from "../../../core/definitions/failure";
import { printed } from "../../../core/printed";
import { memberOf } from "../../../core/member-of";
import { ConsoleError } from "../../../api/errors";
import { configurationAttributes } from "../../../provider/configuration/configuration-attributes";
import { connect } from "../../../provider/configuration/configure";
import { VARIABLES } from "../../../provider/configuration/settings";
import type { Console } from "../../../provider/console/connection";
import type { Environment } from "../../../core/environment";
import { reword, type Diagnostic } from "../../../core/diagnostics";
import { diagnose } from "../../../provider/console/diagnose";
import type { Log } from "../../../core/io/log";
import { ExitCode } from "../../exit-code";
import type { Screen } from "../../terminal/screen";

/**
 * Configures the console of the environment: CONSOLE_URL, CONSOLE_USERNAME and so on, as an empty
 * provider block does. Does not connect. Without a console, the diagnostics have errors that name
 * environment variables. The caller closes the client.
 */
export async function consoleFromEnvironment(
  environment: Environment,
  log: Log,
  patienceMs?: number,
): Promise<{ readonly console: Console | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  const names = Object.keys(configurationAttributes);
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  const surroundings = { environment, log, directory: process.cwd(), patienceMs };
  const { connection, diagnostics } = await connect(empty, surroundings);
  return { console: connection, diagnostics: diagnostics.map(forEnvironment) };
}

/** Work of a command on a console. The first interrupt aborts `signal`. */
export type ConsoleWork = (console: Console, signal: AbortSignal) => Promise<ExitCode>;

/**
 * Runs `work` on the console of the environment, reports errors of the API and closes the client.
 *
 * @param patienceMs How long a console may refuse all requests. Default: that of the provider.
 */
export async function withConsole(
  screen: Screen,
  work: ConsoleWork,
  environment: Environment = screen.terminal.environment,
  patienceMs?: number,
): Promise<ExitCode> {
  const { terminal, log } = screen;
  const { console, diagnostics } = await consoleFromEnvironment(environment, log, patienceMs);
  if (screen.report(diagnostics) || !console) return ExitCode.ERROR;
  screen.announce(printed`Connecting to ${console.client.address}\n`);
  const interrupt = new AbortController();
  const release = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  try {
    return await work(console, interrupt.signal);
  } catch (failure) {
    if (failure instanceof RefusedError) return screen.fail(failure.diagnostic);
    if (!(failure instanceof ConsoleError)) throw failure;
    if (interrupt.signal.aborted) {
      screen.note(printed`\nInterrupted.\n`);
      return ExitCode.INTERRUPTED;
    }
    return screen.fail(diagnoseCall(failure));
  } finally {
    release();
    await console.client.close();
  }
}

/** The diagnostic of a failed call; see `diagnose`. */
export function diagnoseCall(failure: unknown): Diagnostic {
  return forEnvironment(diagnose(failure));
}

const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...VARIABLES,
  client_certificate: "CONSOLE_CLIENT_CERT_FILE",
  client_key: "CONSOLE_CLIENT_KEY_FILE",
  ca_certificate: "CONSOLE_CA_FILE",
  release: "CONSOLE_RELEASE",
};

/** Wordings for provider blocks, and their replacements for commands without one. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid provider configuration$/, "Invalid environment variable"],
  [/^Set base_url in the provider block, or the/, "Set the"],
  [
    /^The provider needs .*, from its block or from the environment.*$/,
    "Set CONSOLE_USERNAME and CONSOLE_PASSWORD, CONSOLE_TOKEN, or CONSOLE_CLIENT_CERT_FILE and CONSOLE_CLIENT_KEY_FILE in the environment.",
  ],
  [/(client_\w+) is not set, nor \1_file/, "$1 is not set"],
  [/ca_certificate or CONSOLE_CA_FILE/, "CONSOLE_CA_FILE"],
  [/; insecure_skip_verify disables verification/, ""],
  [/; for a console that is always slow, set the provider's request_timeout/, ""],
  [/, or set a longer retry_timeout/, ""],
  [/, or the arguments of the provider\. /, ". "],
  [/: create its user with a cwp_bootstrap, and let everything else depend on it\./, "."],
  [/the provider's release(, or CONSOLE_RELEASE,)?/, "CONSOLE_RELEASE"],
  [/the provider's base_url, or CONSOLE_URL,/, "CONSOLE_URL"],
  [/the provider's (?=base_url)/, ""],
  [/release, or CONSOLE_RELEASE,/, "CONSOLE_RELEASE"],
];

function forEnvironment(diagnostic: Diagnostic): Diagnostic {
  const [attribute] = diagnostic.path ?? [];
  const variable = memberOf(ENVIRONMENT, String(attribute));
  return {
    ...reword(diagnostic, reworded),
    ...(variable !== undefined && { path: [variable] }),
  };
}

function reworded(text: string): string {
  return WORDINGS.reduce(
    (before, [block, variables]) => before.replace(block, variables),
    text,
  ).replace(/\b[a-z]+_[a-z_]+\b/g, (name) => memberOf(ENVIRONMENT, name) ?? name);
}
