import { startSimulator, type Simulator, type SimulatorOptions } from "../../src/simulator";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/** A console that is set up, and a terminal in an empty folder with its environment. */
export async function openConsole(
  options: SimulatorOptions = {},
  screen: { readonly columns?: number } = {},
): Promise<{ readonly simulator: Simulator; readonly terminal: TestTerminal }> {
  const signedUp = { username: "admin", password: "long-secret" };
  const simulator = await startSimulator({ signedUp, licensed: true, ...options });
  const terminal = new TestTerminal({
    directory: temporaryFolder(),
    ...screen,
    environment: {
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: "admin",
      CONSOLE_PASSWORD: "long-secret",
      CONSOLE_RELEASE: simulator.release,
    },
  });
  return { simulator, terminal };
}
