import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConsoleClient } from "../../src/api/client";
import { transportTo } from "../../src/simulator";
import { openConsole } from "../cli/console-terminal";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";

/** A terminal in a folder with these files. */
function folderWith(files: Record<string, string | Buffer>, columns?: number): TestTerminal {
  const directory = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return new TestTerminal({ directory, ...(columns !== undefined && { columns }) });
}

const upgrade = (terminal: TestTerminal, from: string, to: string, ...argv: string[]) =>
  terminal.run("upgrade", "--from", from, "--to", to, ...argv);

const BREAKS = 'curl -s "$URL/api/v1/scripts/defender.sh"\n';
const DEPRECATED = 'curl -s "$URL/api/v1/radar/host/export"\n';

interface Document {
  breaks: boolean;
  summary: Record<string, number>;
  checked: Record<string, unknown>;
  findings: Record<string, unknown>[];
}

function documentOf({ out }: TestTerminal): Document {
  return JSON.parse(out) as Document;
}

describe("the text", () => {
  test("has each call as file:line, what happens and what replaces it, and what was read", async () => {
    const terminal = folderWith({ "ci/deploy.sh": `#!/bin/sh\n\n${BREAKS}`, "ci/README.md": "" });
    expect(await upgrade(terminal, "20.04", "20.12", "--scripts", "ci")).toBe(2);
    expect(terminal.out).toBe(`ci/deploy.sh
  ci/deploy.sh:3: breaks (section 9.1.1)
    GET /api/v1/scripts/defender.sh
    Release 20.12 refuses the call: the endpoint takes POST.
    Instead: POST /api/v1/scripts/defender.sh

Upgrade from 20.04 to 20.12: 1 error, 0 possible, 0 warnings, 0 notes.
Looked at 1 script, passed over 1 other file.
`);
    expect(terminal.err).toBe("");
  });

  test("fits the width of the terminal", async () => {
    const terminal = folderWith(
      { "a.sh": BREAKS.replace("scripts/defender.sh", "stats/compliance") },
      60,
    );
    await upgrade(terminal, "20.12", "next", "--scripts", ".", "--no-color");
    expect(Math.max(...terminal.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(
      60,
    );
  });

  test("and documents never have what scripts hold of passwords", async () => {
    const script = `curl -u admin:canary-1 "https://u:canary-2@c/api/v1/radar/host/export"\n`;
    const terminal = folderWith({ "a.sh": script });
    for (const format of [[], ["--json"], ["--sarif"]]) {
      await upgrade(terminal, "20.04", "next", "--scripts", "a.sh", ...format);
    }
    expect(terminal.out).toContain("/api/v1/radar/host/export");
    expect(terminal.out).not.toContain("canary");
  });
});

describe("the exit code", () => {
  test.each([
    ["2 where something breaks", BREAKS, 2],
    ["0 where something is deprecated only", DEPRECATED, 0],
    ["0 where nothing happens", "curl $URL/api/v1/containers\n", 0],
    ["0 where there is no call", "echo hello\n", 0],
  ])("is %s", async (_, script, code) => {
    expect(
      await upgrade(folderWith({ "a.sh": script }), "20.04", "20.12", "--scripts", "a.sh"),
    ).toBe(code);
  });
});

test("--json is one document", async () => {
  const terminal = folderWith({
    "a.sh": `${DEPRECATED}U="$URL/api/v1/scripts/defender.sh"\ncurl $U\n`,
  });
  expect(await upgrade(terminal, "20.04", "20.12", "--scripts", "a.sh", "--json")).toBe(2);
  expect(documentOf(terminal)).toEqual({
    format_version: "1.1",
    from: "20.04",
    to: "20.12",
    breaks: true,
    summary: { errors: 1, possible: 0, warnings: 1, notes: 0 },
    checked: { files: 1, files_passed_over: 0, folders_passed_over: 0 },
    findings: [
      expect.objectContaining({ severity: "warning", section: "9.2", line: 1 }),
      {
        severity: "error",
        section: "9.1.1",
        rule: "defender-install-method",
        message: "Release 20.12 refuses the call: the endpoint takes POST.",
        replacement: "POST /api/v1/scripts/defender.sh",
        kind: "script",
        file: "a.sh",
        line: 3,
        path_line: 2,
        end_line: 3,
        method: "GET",
        path: "/api/v1/scripts/defender.sh",
      },
    ],
  });
});

describe("SARIF", () => {
  interface Sarif {
    version: string;
    runs: {
      tool: { driver: { rules: { id: string; helpUri: string }[] } };
      results: {
        ruleId: string;
        ruleIndex: number;
        level: string;
        locations: {
          physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
        }[];
        partialFingerprints: Record<string, string>;
      }[];
    }[];
  }
  const run = async (script: string, file = "a b.sh") => {
    const terminal = folderWith({ [file]: script });
    await upgrade(terminal, "20.04", "20.12", "--scripts", ".", "--sarif");
    return (JSON.parse(terminal.out) as Sarif).runs[0]!;
  };

  test("has a rule for each section, and a place in a file that can be found", async () => {
    const { tool, results } = await run(BREAKS + DEPRECATED);
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(["console-9.1.1", "console-9.2"]);
    for (const { helpUri } of tool.driver.rules) expect(() => new URL(helpUri)).not.toThrow();
    expect(
      results.map(({ ruleId, ruleIndex, level, locations: [place] }) => [
        ruleId,
        tool.driver.rules[ruleIndex]?.id,
        level,
        place?.physicalLocation.artifactLocation.uri,
        place?.physicalLocation.region.startLine,
      ]),
    ).toEqual([
      ["console-9.1.1", "console-9.1.1", "error", "a%20b.sh", 1],
      ["console-9.2", "console-9.2", "warning", "a%20b.sh", 2],
    ]);
  });

  test("knows a call again that has moved, and tells equal ones apart", async () => {
    const fingerprints = async (script: string) =>
      (await run(script)).results.map(
        ({ partialFingerprints }) => partialFingerprints["upgrade/v1"],
      );
    const [one] = await fingerprints(BREAKS);
    const [first, second] = await fingerprints(`\n\n${BREAKS}echo\n${BREAKS}`);
    expect(first).toBe(one);
    expect(second).not.toBe(one);
  });

  test("goes into a file beside the text", async () => {
    const terminal = folderWith({ "a.sh": BREAKS });
    expect(
      await upgrade(terminal, "20.04", "20.12", "--scripts", "a.sh", "--sarif", "out.sarif"),
    ).toBe(2);
    const written = readFileSync(join(terminal.directory, "out.sarif"), "utf8");
    expect((JSON.parse(written) as Sarif).version).toBe("2.1.0");
    expect(terminal.out).toContain("a.sh:1: breaks");
  });

  test("that cannot be written is an error", async () => {
    const terminal = folderWith({ "a.sh": BREAKS });
    expect(await upgrade(terminal, "20.04", "20.12", "--scripts", "a.sh", "--sarif", "no/x")).toBe(
      1,
    );
    expect(terminal.err).toContain("The SARIF file cannot be written");
  });
});

describe("folders", () => {
  const files = async (terminal: TestTerminal) => {
    await upgrade(terminal, "20.04", "20.12", "--scripts", ".", "--json");
    return documentOf(terminal).findings.map(({ file }) => file);
  };

  test("are read but for what is no script, and what others have written", async () => {
    const terminal = folderWith({
      "a.sh": BREAKS,
      deploy: `#!/usr/bin/env bash\n${BREAKS}`,
      "node_modules/x/a.sh": BREAKS,
      ".git/hooks/post-commit": BREAKS,
      "README.md": BREAKS,
      LICENSE: BREAKS,
      "logo.sh": Buffer.from([0, 1, 2, 3]),
      "deep/er/Makefile": `x:\n\t${BREAKS}`,
    });
    expect(await files(terminal)).toEqual(["a.sh", "deep/er/Makefile", "deploy"]);
  });

  test("that link to each other are read once", async () => {
    const terminal = folderWith({ "a/x.sh": BREAKS });
    symlinkSync("..", join(terminal.directory, "a", "up"));
    symlinkSync("a", join(terminal.directory, "b"));
    symlinkSync("nowhere", join(terminal.directory, "dangling"));
    expect(await files(terminal)).toEqual(["a/x.sh"]);
    expect(terminal.err).toContain("dangling cannot be read");
  });

  test("with a script that is too large say so, and pass over archives", async () => {
    const large = "#".repeat(3_000_000);
    const terminal = folderWith({ "a.sh": BREAKS, "big.sh": large, "wheel.whl": large });
    expect(await files(terminal)).toEqual(["a.sh"]);
    expect(terminal.err).toContain("big.sh has 3000000 bytes");
    expect(terminal.err).not.toContain("wheel");
  });

  const mayReadAll = process.getuid?.() === 0;
  const testUnreadable = mayReadAll ? test.skip : test;
  testUnreadable("with a file that may not be read say so", async () => {
    const terminal = folderWith({ "a.sh": BREAKS, "secret.sh": BREAKS });
    chmodSync(join(terminal.directory, "secret.sh"), 0);
    expect(await files(terminal)).toEqual(["a.sh"]);
    expect(terminal.err).toContain("secret.sh cannot be read");
  });

  test("a file that is named counts whatever it is called, unless it is prose", async () => {
    const terminal = folderWith({ "job.conf": BREAKS, "notes.md": BREAKS });
    await upgrade(terminal, "20.04", "20.12", "--scripts", "job.conf", "notes.md", "--json");
    expect(documentOf(terminal).findings.map(({ file }) => file)).toEqual(["job.conf"]);
    expect(terminal.err).toContain("notes.md is documentation by its name");
  });
});

describe("what cannot be done is told, all of it, with exit code 1", () => {
  test.each([
    ["releases", ["--from", "20.4", "--to", "21.04"], ['--from is "20.4"', '--to is "21.04"']],
    ["no releases", [], ["--from is required", "--to is required"]],
    ["the same release", ["--from", "20.09", "--to", "20.09"], ["--from and --to are both 20.09"]],
    ["backwards", ["--from", "next", "--to", "20.12"], ["20.12 is older than next"]],
    ["nothing to check", ["--from", "20.04", "--to", "next"], ["Nothing to check"]],
    [
      "everything",
      ["--from", "x", "--scripts", "nope", "neither", "--json", "--sarif"],
      [
        '--from is "x"',
        "--to is required",
        "nope: there is no such file or folder",
        "neither: there",
        "Conflicting output options",
      ],
    ],
  ])("%s", async (_, argv, messages) => {
    const terminal = folderWith({});
    expect(await terminal.run("upgrade", ...argv)).toBe(1);
    expect(terminal.out).toBe("");
    const told = terminal.err.replace(/\n(?=\S)/g, " ");
    for (const message of messages) expect(told).toContain(message);
  });
});

describe("stacks", () => {
  const stack = (release: string) => ({
    provider: { cwp: { release } },
    resource: {
      cwp_registry_scan: {
        r: { specifications: [{ registry: "", repository: "*", tag: "*", credential: {} }] },
      },
    },
  });

  test("are read where they are synthesized, and named with address and attribute", async () => {
    const directory = temporaryFolder();
    const out = writeStacks(directory, { one: stack("20.12"), two: stack("20.12") });
    const terminal = new TestTerminal({ directory });
    expect(await upgrade(terminal, "20.04", "20.12", "two", "--out-dir", out, "--json")).toBe(2);
    const { checked, findings } = documentOf(terminal);
    expect(checked).toEqual({ stacks: ["two"] });
    expect(findings).toEqual([
      expect.objectContaining({
        stack: "two",
        address: "cwp_registry_scan.r",
        attribute: "specifications[0].credential",
        section: "9.1.2",
      }),
    ]);
  });

  test("that are not there are an error", async () => {
    const directory = temporaryFolder();
    const out = writeStacks(directory, { one: {} });
    const terminal = new TestTerminal({ directory });
    expect(await upgrade(terminal, "20.04", "20.12", "tow", "--out-dir", out)).toBe(1);
    expect(terminal.err).toContain('There is no stack named "tow"');
  });
});

describe("a live console", () => {
  test("of 20.04: inline credentials and firewall rules are lost, and only GETs are sent", async () => {
    const { simulator, terminal } = await openConsole({ release: "20.04" });
    try {
      const { console } = simulator.consoles[0];
      await console.edit({
        registry: [
          { registry: "docker.io", repository: "a", tag: "*", credentialID: "x" },
          {
            registry: "quay.io",
            repository: "b",
            tag: "1",
            credential: { type: "basic", secret: { plain: "canary-secret" } },
          },
        ],
        serverlessScan: [{ credentialID: "x", provider: "aws", region: "eu-west-1" }],
      });
      const client = new ConsoleClient({
        baseUrl: simulator.consoles[0].url,
        release: "20.04",
        credentials: { method: "basic", username: "admin", password: "secret" },
        transport: transportTo(console),
      });
      await client.request("putHostFirewallPolicies", { body: [{ name: "a" }, { name: "b" }] });
      const before = console.requests.length;
      expect(await upgrade(terminal, "20.04", "next", "--json")).toBe(2);
      expect(terminal.err).toBe("");
      expect(
        documentOf(terminal).findings.map(({ section, setting, entry }) => [
          section,
          setting,
          entry,
        ]),
      ).toEqual([
        ["9.1.2", "GET /api/v1/settings/registry", "[1] quay.io/b:1"],
        ["9.3.3", "GET /api/v1/settings/serverless-scan", "[0] aws eu-west-1"],
        ["9.2", "GET /api/v1/policies/firewall/network/host", "2 rules"],
      ]);
      expect(terminal.out).not.toContain("canary");
      const sent = console.requests
        .slice(before)
        .filter(({ path }) => !path.endsWith("/authenticate"));
      expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(["GET"]));
    } finally {
      await simulator.close();
    }
  });

  test("of 20.12: regions; it is called by --from, which is told if the environment says another", async () => {
    const { simulator, terminal } = await openConsole({ release: "20.12" });
    try {
      terminal.environment.CONSOLE_RELEASE = "20.04";
      expect(await upgrade(terminal, "20.12", "next", "--console")).toBe(0);
      expect(terminal.out.replace(/\n(?=\S)/g, " ")).toContain(
        "The console is read as release 20.12.",
      );
      expect(terminal.out).toContain("Nothing found that the upgrade from 20.12 to next changes.");
    } finally {
      await simulator.close();
    }
  });
});
