import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { startCli } from "./support/bundle";

/* The commands that work on the environment's console, as processes. */

let simulator: Simulator;
let folder: string;

beforeEach(async () => {
  const signedUp = { username: "admin", password: "long-secret" };
  simulator = await startSimulator({ signedUp, licensed: true });
  folder = mkdtempSync(join(tmpdir(), "cdktf-console-commands-"));
});
afterEach(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

const start = (...argv: string[]) =>
  startCli(argv, {
    cwd: folder,
    environment: {
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: "admin",
      CONSOLE_PASSWORD: "long-secret",
    },
  });

/** Makes every download a text that exceeds the buffer of a pipe. */
function sendsMuch(): string {
  const text = "one,two,three\n".repeat(200_000);
  const { console } = simulator.consoles[0];
  const handle = console.handle.bind(console);
  console.handle = async (request) => {
    const response = await handle(request);
    return request.path.endsWith("/download") ? { ...response, body: text } : response;
  };
  return text;
}

test("writes the same download to standard output and to a file", async () => {
  const text = sendsMuch();
  const { code, out, err } = await start("download", "cloud-discovery").ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out === text).toBe(true);
  const saved = await start("download", "cloud-discovery", "--output", "found.csv").ended;
  expect(saved).toMatchObject({ code: 0, out: "", err: "" });
  expect(readFileSync(join(folder, "found.csv"), "utf8") === text).toBe(true);
});

test("ends a download without an error when the reader closes the pipe", async () => {
  sendsMuch();
  const { child, ended } = start("download", "cloud-discovery");
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, err: "" });
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a scan with exit code 130", async (signal) => {
  const running = start("scan", "--interval", "50ms");
  await running.printed("Still scanning");
  running.child.kill(signal);
  const { code, err } = await running.ended;
  expect({ code, err }).toEqual({ code: 130, err: "\nInterrupted.\n" });
});

test("keeps the existing file when a download is interrupted", async () => {
  simulator.consoles[0].console.faults.add({ target: "downloadCloudDiscovery", delay: 60_000 });
  writeFileSync(join(folder, "found.csv"), "old");
  const running = start(
    "download",
    "cloud-discovery",
    "--output",
    "found.csv",
    "--log-level=debug",
  );
  await running.printed("authenticate");
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 130, out: "" });
  expect(readFileSync(join(folder, "found.csv"), "utf8")).toBe("old");
});
