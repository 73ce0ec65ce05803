import { COMMAND_ENDPOINTS } from "../../scripts/generate/coverage/uses";
import { startSimulator, type Clock } from "../../src/simulator";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/*
 * The endpoints of commands without a stack, as docs/maintainers/api-coverage.md lists them, compared with the
 * requests that the commands make.
 */

const ADMIN = { username: "admin", password: "canary-password" };

/** Runs a hundred times as fast as the system clock, so that a scan ends soon. */
function fastClock(): Clock {
  const start = Date.now();
  return { now: () => new Date(start + (Date.now() - start) * 100) };
}

/** Options that the commands need. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  scan: ["--interval", "50ms"],
  // Calls the endpoints of the older release, which the newer one has too.
  upgrade: ["--from", "20.04", "--to", "next", "--console"],
};

test.each(Object.entries(COMMAND_ENDPOINTS))("%s calls %j", async (command, endpoints) => {
  const simulator = await startSimulator({
    release: "next",
    signedUp: ADMIN,
    licensed: true,
    clock: fastClock(),
  });
  try {
    const [{ url, console }] = simulator.consoles;
    const t = new TestTerminal({
      directory: temporaryFolder(),
      environment: {
        CONSOLE_URL: url,
        CONSOLE_CA_FILE: simulator.caFile,
        CONSOLE_RELEASE: simulator.release,
        CONSOLE_USERNAME: ADMIN.username,
        CONSOLE_PASSWORD: ADMIN.password,
      },
    });
    const code = await t.run(...command.split(" "), ...(OPTIONS[command] ?? []));
    expect([code, t.err]).toEqual([0, ""]);
    const called = new Set(console.requests.map(({ endpoint }) => endpoint));
    called.delete("authenticate");
    expect([...called].sort()).toEqual([...endpoints].sort());
  } finally {
    await simulator.close();
  }
});
