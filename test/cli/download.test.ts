import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASES, type Release } from "../../src/api/release";
import type { Simulator } from "../../src/simulator";
import { openConsole } from "./console-terminal";
import type { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let terminal: TestTerminal;
afterEach(() => simulator.close());

async function open(release: Release = "20.12"): Promise<void> {
  ({ simulator, terminal } = await openConsole({ release }));
}

const console = () => simulator.consoles[0].console;
const download = (...argv: string[]) => terminal.run("download", ...argv);
const errors = () => terminal.err.replace(/(?<=\S)\n(?=\S)/g, " ");

/** Makes the console send these bytes. */
function sends(bytes: Buffer): void {
  const handle = console().handle.bind(console());
  console().handle = async (request) => {
    const response = await handle(request);
    return request.path.includes("/download") ? { ...response, body: bytes } : response;
  };
}

/** Bytes that are not text in any encoding, in several chunks. */
const BYTES = Buffer.concat(
  Array.from({ length: 8_000 }, (_, index) => createHash("sha256").update(String(index)).digest()),
);

test.each(RELEASES)("downloads CSV files of release %s unchanged", async (release) => {
  await open(release);
  const term = release === "next" ? "defended" : "protected";
  expect(await download("serverless")).toBe(0);
  expect(terminal.out.split("\n")[0]).toContain(term);
  terminal.out = "";
  expect(await download("cloud-discovery")).toBe(0);
  expect(terminal.out.split("\n")[0]).toContain(term);
  expect(terminal.err).toBe("");
});

test("downloads the compliance checks of release next", async () => {
  await open("next");
  expect(await download("compliance")).toBe(0);
  expect(terminal.out.split("\n").length).toBeGreaterThan(2);
});

test.each(["20.04", "20.09", "20.12"] as const)(
  "compliance checks of release %s are an error that names the release with them",
  async (release) => {
    await open(release);
    expect(await download("compliance", "--output", "checks.csv")).toBe(1);
    expect(errors()).toContain(
      `Error: Not in this release of the console\n\nRelease ${release} does not have this download. Available in: next. Set the release of the console in the environment variable CONSOLE_RELEASE`,
    );
    expect(console().requests).toEqual([]);
    expect(readdirSync(terminal.directory)).toEqual([]);
  },
);

test.each(["20.12", "next"] as const)(
  "--defended and --no-defended select functions of release %s",
  async (release) => {
    await open(release);
    const rows = async (...argv: string[]) => {
      terminal.out = "";
      expect(await download("serverless", ...argv)).toBe(0);
      return terminal.out.trim().split("\n").length - 1;
    };
    const [all, defended, others] = [
      await rows(),
      await rows("--defended"),
      await rows("--no-defended"),
    ];
    expect(defended).toBeGreaterThan(0);
    expect(others).toBeGreaterThan(0);
    expect(defended + others).toBe(all);
  },
);

test("standard output receives the bytes unchanged", async () => {
  await open();
  sends(BYTES);
  expect(await download("serverless")).toBe(0);
  expect(Buffer.from(terminal.out, "latin1").equals(BYTES)).toBe(true);
});

describe("--output", () => {
  test("replaces a file and prints nothing", async () => {
    await open();
    sends(BYTES);
    const file = join(terminal.directory, "out.csv");
    writeFileSync(file, "old");
    expect(await download("cloud-discovery", "--output", "out.csv")).toBe(0);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([terminal.out, terminal.err]).toEqual(["", ""]);
    expect(readdirSync(terminal.directory)).toEqual(["out.csv"]);
  });

  test("keeps the previous file if the download fails", async () => {
    await open();
    console().faults.add({ target: "downloadCloudDiscovery", outcome: { kind: "truncate" } });
    writeFileSync(join(terminal.directory, "out.csv"), "old");
    expect(await download("cloud-discovery", "--output", "out.csv")).toBe(1);
    expect(errors()).toContain("Error: ");
    expect(readFileSync(join(terminal.directory, "out.csv"), "utf8")).toBe("old");
    expect(readdirSync(terminal.directory)).toEqual(["out.csv"]);
  });

  test.each([
    ["no/such.csv", "no such file or directory"],
    ["folder", "is a directory"],
  ])("%s is an error: %s", async (output, problem) => {
    await open();
    mkdirSync(join(terminal.directory, "folder"));
    expect(await download("cloud-discovery", "--output", output)).toBe(1);
    expect(errors()).toContain(`Error: File cannot be written\n\n${output}: ${problem}.`);
    expect(readdirSync(terminal.directory)).toEqual(["folder"]);
  });
});

test("names its own variable where the console runs another release", async () => {
  await open("next");
  terminal.environment.CONSOLE_RELEASE = "20.12";
  expect(await download("serverless", "--defended")).toBe(1);
  expect(errors().replace(/\s+/g, " ")).toContain('Set CONSOLE_RELEASE to "next" or "auto".');
});

test("an interrupt ends the download", async () => {
  await open();
  console().faults.add({ target: "downloadServerlessFunctions", delay: 60_000 });
  const ended = download("serverless", "--output", "out.csv");
  while (!console().requests.some(({ path }) => path.endsWith("/authenticate"))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).toBe("\nInterrupted.\n");
  expect(readdirSync(terminal.directory)).toEqual([]);
});

test("refuses unknown downloads and options", async () => {
  await open();
  expect(await download("everything")).toBe(1);
  expect(await download("cloud-discovery", "--defended")).toBe(1);
  expect(terminal.err).toContain("Unknown option '--defended'");
  expect(console().requests).toEqual([]);
});
