import { randomBytes } from "node:crypto";
import type { Simulator, SimulatorOptions } from "../../simulator";
import { shellWord } from "../../core/io/shell-word";

/** The secrets of an embedded console that has no user yet. They protect nothing. */
const PASSWORD = "embedded-console";
const LICENSE_KEY = "embedded-license";

/** Keeps the states of embedded consoles apart from those of real ones. */
const EMBEDDED_WORKSPACE = "embedded";

/** Returns a separate workspace for a new console, because no state matches it. */
function workspaceOf(dataDir: string | undefined): string {
  if (dataDir !== undefined) return EMBEDDED_WORKSPACE;
  return `${EMBEDDED_WORKSPACE}-${randomBytes(4).toString("hex")}`;
}

/** The variables with which stacks and commands find an embedded console. */
export function consoleEnvironment(
  { consoles: [{ url }], caFile }: Pick<Simulator, "consoles" | "caFile">,
  { signedUp, dataDir }: Pick<SimulatorOptions, "signedUp" | "dataDir">,
): Readonly<Record<string, string>> {
  return {
    CONSOLE_URL: url,
    CONSOLE_CA_FILE: caFile,
    CONSOLE_USERNAME: signedUp?.username ?? "admin",
    CONSOLE_PASSWORD: signedUp?.password ?? PASSWORD,
    CONSOLE_LICENSE_KEY: LICENSE_KEY,
    TF_WORKSPACE: workspaceOf(dataDir),
  };
}

/** The text for a user who starts embedded consoles on a terminal. */
export function servingText(
  { consoles, release }: Pick<Simulator, "consoles" | "release">,
  environment: Readonly<Record<string, string>>,
): string {
  const [{ url }, ...others] = consoles;
  const count = others.length === 0 ? "An embedded console" : `${consoles.length} consoles`;
  const addresses = others.length === 0 ? [] : consoles.map((one) => `  ${one.name}  ${one.url}`);
  const exports = Object.entries(environment).map(
    ([name, value]) => `  export ${name}=${shellWord(value)}`,
  );
  return [
    `${count} of release ${release} ${others.length === 0 ? `serves ${url}` : "serve"}`,
    ...addresses,
    "",
    `Set these variables in another terminal${others.length === 0 ? "" : ", with the address of a console"}:`,
    "",
    ...exports,
    "",
    "TF_WORKSPACE keeps the state apart from that of a real console. Press Ctrl-C to stop.",
    "",
  ].join("\n");
}
