import { createHmac } from "node:crypto";
import type { Console, Simulator, SimulatorOptions } from "../../simulator";
import { joined, type Printed } from "../../core/printed";
import { shellWord } from "../../core/io/shell-word";

/** The secrets of an embedded console that has no user yet. They protect nothing. */
const PASSWORD = "embedded-console";
const LICENSE_KEY = "embedded-license";

/**
 * Returns the workspace of an embedded console, so that no other console, real or embedded, gets its
 * state. The console keeps it for as long as it keeps its data.
 */
function workspaceOf(data: Console["data"]): string {
  return `embedded-${digestOf(data, "workspace", 8)}`;
}

/** Returns the ID of an embedded console, which it has on every port. It keeps it with its data. */
export function consoleIdOf(data: Console["data"]): string {
  return `embedded-${digestOf(data, "console", 16)}`;
}

function digestOf({ keys }: Console["data"], purpose: string, digits: number): string {
  return createHmac("sha256", keys.sealing).update(purpose).digest("hex").slice(0, digits);
}

/** The variables with which stacks and commands find an embedded console. */
export function consoleEnvironment(
  {
    consoles: [{ url, console }],
    caFile,
    release,
  }: Pick<Simulator, "consoles" | "caFile" | "release">,
  { signedUp }: Pick<SimulatorOptions, "signedUp">,
): Readonly<Record<string, string>> {
  return {
    CONSOLE_URL: url,
    CONSOLE_ID: consoleIdOf(console.data),
    CONSOLE_CA_FILE: caFile,
    CONSOLE_USERNAME: signedUp?.username ?? "admin",
    CONSOLE_PASSWORD: signedUp?.password ?? PASSWORD,
    CONSOLE_LICENSE_KEY: LICENSE_KEY,
    CONSOLE_RELEASE: release,
    TF_WORKSPACE: workspaceOf(console.data),
  };
}

/** Consoles whose addresses are shown. */
const MOST_SHOWN = 10;

/** The text for a user who starts embedded consoles on a terminal. */
export function servingText(
  { consoles, release }: Pick<Simulator, "consoles" | "release">,
  environment: Readonly<Record<string, string>>,
): Printed {
  const [{ url }, ...others] = consoles;
  const count = others.length === 0 ? "An embedded console" : `${consoles.length} consoles`;
  const shown = consoles.slice(0, consoles.length > MOST_SHOWN ? MOST_SHOWN - 1 : MOST_SHOWN);
  const more = consoles.length - shown.length;
  const addresses = [
    ...(others.length === 0 ? [] : shown.map((one) => `  ${one.name}  ${one.url}`)),
    ...(more > 0 ? [`  and ${more} more in tenants.csv`] : []),
  ];
  const exports = Object.entries(environment).map(
    ([name, value]) => `  export ${name}=${shellWord(value)}`,
  );
  const lines = [
    `${count} of release ${release} ${others.length === 0 ? `serves ${url}` : "serve"}`,
    ...addresses,
    "",
    `Set these variables in another terminal${others.length === 0 ? "" : ", with the address of a console"}:`,
    "",
    ...exports,
    "",
    "TF_WORKSPACE keeps the state apart from that of a real console. Press Ctrl-C to stop.",
    "",
  ];
  return joined(lines, "\n");
}
