import { COMMAND_ENDPOINTS } from "../../scripts/generate/coverage/uses";
import { startSimulator, type Clock } from "../../src/simulator";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/*
 * What docs/api-coverage.md says of the commands that work on a console without a stack: recorded
 * while they run.
 */

const ADMIN = { username: "admin", password: "canary-password" };

/** Passes a hundred times as fast as time does, so that a scan is over soon. */
function fastClock(): Clock {
  const start = Date.now();
  return { now: () => new Date(start + (Date.now() - start) * 100) };
}

/** What has to be said besides the command itself. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  scan: ["--interval", "50ms"],
  // Called by the older release; the newer one has what it reads, too.
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
