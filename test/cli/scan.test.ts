import { RELEASES } from "../../src/api/release";
import type { Simulator, SimulatorOptions } from "../../src/simulator";
import { inventoryOf } from "../../src/simulator/inventory";
import { hurriedClock } from "../support/hurried-clock";
import { openConsole } from "./console-terminal";
import type { TestTerminal } from "./test-terminal";

const { containers } = inventoryOf("");
const count = containers.length;
const issues = containers.flatMap((container) => container.issues).length;

let simulator: Simulator;
let terminal: TestTerminal;
afterEach(() => simulator.close());

async function open(options: SimulatorOptions = {}): Promise<void> {
  ({ simulator, terminal } = await openConsole({ clock: hurriedClock(), ...options }));
}

const scan = (...argv: string[]) => terminal.run("scan", "--interval", "10ms", ...argv);
const scans = () =>
  simulator.consoles[0].console.requests.filter(({ path }) => path.endsWith("/scan")).length;

test.each(RELEASES)(
  "scans a console of release %s and prints progress and results",
  async (release) => {
    await open({ release });
    expect(await scan()).toBe(0);
    const [first, second, ...rest] = terminal.out.split("\n");
    expect(first).toMatch(new RegExp(`^Scanning ${count} containers, since \\d{4}-.*Z\\.\\.\\.$`));
    expect(second).toMatch(
      new RegExp(
        `^Still scanning\\.\\.\\. \\[\\d+s elapsed, \\d+ of ${count} containers scanned\\]$`,
      ),
    );
    expect(rest.join("\n")).toContain(
      `\nScan complete! Containers: ${count}, compliance issues: ${issues}.\n`,
    );
    expect(terminal.err).toBe("");
    expect(scans()).toBe(1);
  },
);

test("names the console on a terminal, before it answers", async () => {
  ({ simulator, terminal } = await openConsole({ clock: hurriedClock() }, { columns: 80 }));
  expect(await scan()).toBe(0);
  expect(terminal.err).toBe(`Connecting to ${simulator.consoles[0].url}\n`);
});

test("--json prints one document with the attribute names of the resource", async () => {
  await open();
  expect(await scan("--json")).toBe(0);
  const document = JSON.parse(terminal.out) as Record<string, string>;
  expect(document).toEqual({
    started_at: expect.any(String) as string,
    completed_at: expect.any(String) as string,
    container_count: count,
    issue_count: issues,
    unfinished: [],
  });
  const { started_at: start = "", completed_at: end = "" } = document;
  expect(Date.parse(end) - Date.parse(start)).toBe(25_000);
  expect(terminal.err).toBe("");
});

describe("a scan that does not end in time", () => {
  // It takes 25 seconds of the system clock.
  beforeEach(() => open({ clock: undefined }));

  test("is an error that names unfinished containers", async () => {
    expect(await scan("--timeout", "50ms")).toBe(1);
    const errors = terminal.err.replace(/(?<=\S)\n(?=\S)/g, " ");
    expect(errors).toContain("Error: Scan did not end in time");
    expect(errors).toMatch(
      /not complete after 0\.05 s: \d+ of \d+ containers have no new result: .* and \d+ more\./,
    );
    expect(errors).toContain("--timeout");
    expect(terminal.out).not.toContain("complete!");
    expect(scans()).toBe(1);
  });

  test("--json lists all of them, without an end of the scan", async () => {
    expect(await scan("--timeout", "50ms", "--json")).toBe(1);
    const document = JSON.parse(terminal.out) as { completed_at: null; unfinished: string[] };
    expect(document.completed_at).toBeNull();
    const ids = containers.map(({ id }) => id);
    expect(document.unfinished.length).toBeGreaterThan(count / 2);
    expect(ids).toEqual(expect.arrayContaining(document.unfinished));
    expect(terminal.err).toContain("Error: Scan did not end in time");
  });

  test("an interrupt ends the wait", async () => {
    const ended = scan();
    await terminal.printed("Still scanning");
    terminal.interrupt();
    expect(await ended).toBe(130);
    expect(terminal.err).toBe("\nInterrupted.\n");
  });
});

test.each<[string, SimulatorOptions, Record<string, string>, string]>([
  ["no address", {}, { CONSOLE_URL: "" }, "Error: Missing console address"],
  [
    "a wrong password",
    {},
    { CONSOLE_PASSWORD: "another-secret" },
    "Error: Console refused the credentials",
  ],
  ["no license", { licensed: false }, {}, "Error: Console has no license"],
  ["an unknown authority", {}, { CONSOLE_CA_FILE: "" }, "Error: TLS connection refused"],
])("reports %s", async (_, options, environment, expected) => {
  await open(options);
  Object.assign(terminal.environment, environment);
  expect(await scan()).toBe(1);
  expect(terminal.err).toContain(expected);
  expect(terminal.err).not.toMatch(/provider|base_url/);
  expect(terminal.out).toBe("");
});

test.each([
  ["--timeout", "soon"],
  ["--timeout", "0"],
  ["--interval", "0s"],
])("%s %s is refused", async (option, value) => {
  await open();
  expect(await terminal.run("scan", option, value)).toBe(1);
  expect(terminal.err).toContain(`Option '${option} <duration>'`);
  expect(scans()).toBe(0);
});
