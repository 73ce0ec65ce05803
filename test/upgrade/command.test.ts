import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConsoleClient } from "../../src/api/client";
import { transportTo } from "../../src/simulator";
import { openConsole } from "../cli/console-terminal";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { testWhere } from "../support/requirement";

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

describe("the text report", () => {
  test("shows each mention as file:line with the change and replacement, and the number of files", async () => {
    const terminal = folderWith({
      "ci/deploy.sh": `#!/bin/sh\n\n${BREAKS}`,
      "ci/logo.png": Buffer.from([0, 1]),
    });
    expect(await upgrade(terminal, "20.04", "20.12", "--scripts", "ci")).toBe(2);
    expect(terminal.out).toBe(`ci/deploy.sh
  ci/deploy.sh:3: mentioned (section 9.1.1)
    scripts/defender.sh
    Release 20.12 refuses GET /api/v1/scripts/defender.sh.
    Instead: POST /api/v1/scripts/defender.sh

Upgrade from 20.04 to 20.12: 1 mentioned.
Scripts mention what changes: check each line. The exit code is 2.
Checked 1 script, passed over 1 other file.
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

  test("contains no passwords of scripts, and neither do the documents", async () => {
    const script = `curl -u admin:canary-1 "https://u:canary-2@c/api/v1/radar/host/export"\n`;
    const terminal = folderWith({ "a.sh": script });
    for (const format of [[], ["--json"]]) {
      await upgrade(terminal, "20.04", "next", "--scripts", "a.sh", ...format);
    }
    expect(terminal.out).toContain("radar/host/export");
    expect(terminal.out).not.toContain("canary");
  });
});

describe("the exit code", () => {
  test.each([
    ["2 if something is mentioned", BREAKS, 2],
    ["2 if something deprecated is mentioned", DEPRECATED, 2],
    ["0 if nothing changes", "curl $URL/api/v1/containers\n", 0],
    ["0 if there is no path", "echo hello\n", 0],
  ])("is %s", async (_, script, code) => {
    expect(
      await upgrade(folderWith({ "a.sh": script }), "20.04", "20.12", "--scripts", "a.sh"),
    ).toBe(code);
  });
});

describe("--patterns", () => {
  test("prints expressions with which grep finds the lines that --scripts reports", async () => {
    const lines = [
      BREAKS,
      DEPRECATED,
      "curl $URL/api/v1/containers\n",
      "jq .riskFactors scan.json\n",
    ];
    const terminal = folderWith({ "a.sh": lines.join("") });
    expect(await upgrade(terminal, "20.04", "next", "--patterns")).toBe(0);
    writeFileSync(join(terminal.directory, "patterns.txt"), terminal.out);
    const found = execFileSync("grep", ["-nEf", "patterns.txt", "a.sh"], {
      cwd: terminal.directory,
      encoding: "utf8",
    });
    const numbers = found
      .trimEnd()
      .split("\n")
      .map((line) => Number(line.split(":", 1)[0]));
    expect(numbers).toEqual([1, 2, 4]);
    const report = new TestTerminal({ directory: terminal.directory });
    await upgrade(report, "20.04", "next", "--scripts", "a.sh", "--json");
    expect(new Set(documentOf(report).findings.map(({ line }) => line))).toEqual(new Set(numbers));
  });

  test("prints the table with --json", async () => {
    const terminal = folderWith({});
    expect(await upgrade(terminal, "20.12", "next", "--patterns", "--json")).toBe(0);
    expect(JSON.parse(terminal.out)).toContainEqual({
      expression: "(policies/runtime/custom-rules)([^A-Za-z0-9_-]|$)",
      section: "9.3.4",
      message: "The next release refuses GET /api/v1/policies/runtime/custom-rules.",
      replacement: "GET /api/v1/custom-rules",
    });
  });
});

test("--json prints one document", async () => {
  const terminal = folderWith({
    "a.sh": `${DEPRECATED}U="$URL/api/v1/scripts/defender.sh"\n`,
  });
  expect(await upgrade(terminal, "20.04", "20.12", "--scripts", "a.sh", "--json")).toBe(2);
  expect(documentOf(terminal)).toEqual({
    format_version: "2.0",
    from: "20.04",
    to: "20.12",
    breaks: false,
    summary: { errors: 0, possible: 0, mentioned: 2, warnings: 0, notes: 0 },
    checked: { files: 1, files_passed_over: 0, folders_passed_over: 0 },
    findings: [
      expect.objectContaining({ severity: "mentioned", section: "9.2", line: 1 }),
      {
        severity: "mentioned",
        section: "9.1.1",
        rule: "defender-install-method",
        message: "Release 20.12 refuses GET /api/v1/scripts/defender.sh.",
        replacement: "POST /api/v1/scripts/defender.sh",
        kind: "script",
        file: "a.sh",
        line: 2,
        text: "scripts/defender.sh",
      },
    ],
  });
});

describe("folders", () => {
  const files = async (terminal: TestTerminal) => {
    await upgrade(terminal, "20.04", "20.12", "--scripts", ".", "--json");
    return documentOf(terminal).findings.map(({ file }) => file);
  };

  test("are read without binary files and installed packages", async () => {
    const terminal = folderWith({
      "a.sh": BREAKS,
      deploy: `#!/usr/bin/env bash\n${BREAKS}`,
      "node_modules/x/a.sh": BREAKS,
      ".git/hooks/post-commit": BREAKS,
      "logo.sh": Buffer.from([0, 1, 2, 3]),
      "deep/er/Makefile": `x:\n\t${BREAKS}`,
    });
    expect(await files(terminal)).toEqual(["a.sh", "deep/er/Makefile", "deploy"]);
    expect(documentOf(terminal).checked).toEqual({
      files: 3,
      files_passed_over: 1,
      folders_passed_over: 2,
    });
  });

  test("that link to each other are read once", async () => {
    const terminal = folderWith({ "a/x.sh": BREAKS });
    symlinkSync("..", join(terminal.directory, "a", "up"));
    symlinkSync("a", join(terminal.directory, "b"));
    symlinkSync("nowhere", join(terminal.directory, "dangling"));
    expect(await files(terminal)).toEqual(["a/x.sh"]);
    expect(terminal.err).toContain("dangling cannot be read");
  });

  test("with a file that is too large are read with a warning", async () => {
    const large = "#".repeat(3_000_000);
    const terminal = folderWith({
      "a.sh": BREAKS,
      "big.sh": large,
      "x.whl": Buffer.alloc(3_000_000),
    });
    expect(await files(terminal)).toEqual(["a.sh"]);
    expect(terminal.err).toContain("big.sh has 3000000 bytes");
    expect(terminal.err).not.toContain("x.whl");
  });

  const user = { isMet: process.getuid?.() !== 0, reason: "root may read every file" };
  testWhere(user, "with a file without read permission are read with a warning", async () => {
    const terminal = folderWith({ "a.sh": BREAKS, "secret.sh": BREAKS });
    chmodSync(join(terminal.directory, "secret.sh"), 0);
    expect(await files(terminal)).toEqual(["a.sh"]);
    expect(terminal.err).toContain("secret.sh cannot be read");
  });

  test("with a file in UTF-16, as PowerShell writes it, are read", async () => {
    const script = '\uFEFFInvoke-RestMethod "$Console/api/v1/scripts/defender.sh"\r\n';
    const terminal = folderWith({ "a.ps1": Buffer.from(script, "utf16le") });
    expect(await files(terminal)).toEqual(["a.ps1"]);
  });

  test("a named file is read whatever its name", async () => {
    const terminal = folderWith({ "job.conf": BREAKS, "notes.md": BREAKS });
    await upgrade(terminal, "20.04", "20.12", "--scripts", "job.conf", "--json");
    expect(documentOf(terminal).findings.map(({ file }) => file)).toEqual(["job.conf"]);
  });
});

describe("all usage errors are reported at once, with exit code 1", () => {
  test.each([
    ["releases", ["--from", "20.4", "--to", "2012"], ['--from is "20.4"', '--to is "2012"']],
    ["no releases", [], ["--from is required", "--to is required"]],
    ["the same release", ["--from", "20.09", "--to", "20.09"], ["--from and --to are both 20.09"]],
    ["backwards", ["--from", "next", "--to", "20.12"], ["20.12 is older than next"]],
    ["nothing to check", ["--from", "20.04", "--to", "next"], ["Nothing to check"]],
    [
      "everything",
      ["--from", "x", "--scripts", "nope", "neither", "--json"],
      [
        '--from is "x"',
        "--to is required",
        "nope: no such file or directory",
        "neither: no such file or directory",
      ],
    ],
  ])("%s", async (_, argv, messages) => {
    const terminal = folderWith({});
    expect(await terminal.run("upgrade", ...argv)).toBe(1);
    expect(terminal.out).toBe("");
    const errors = terminal.err.replace(/\n(?=\S)/g, " ");
    for (const message of messages) expect(errors).toContain(message);
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

  test("are read from cdktf.out, with address and attribute", async () => {
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

  test("with the same findings are shown once, and are selected by label", async () => {
    const directory = temporaryFolder();
    const of = (name: string, ring: string, release = "20.12") => {
      const { provider, resource } = stack(release);
      const { r } = resource.cwp_registry_scan;
      const named = { ...r, "//": { metadata: { path: `${name}/tenant/registry` } } };
      const labels = { "//": { labels: { ring } } };
      return { ...labels, provider, resource: { cwp_registry_scan: { r: named } } };
    };
    const wide = Array.from({ length: 12 }, (_, at): [string, object] => [
      `t${at}`,
      of(`t${at}`, "wide"),
    ]);
    const stacks = { ...Object.fromEntries(wide), canary: of("canary", "canary"), none: {} };
    const out = writeStacks(directory, stacks);
    const terminal = new TestTerminal({ directory });
    const selected = ["--out-dir", out, "--label", "ring=wide", "--exclude", "t1"];
    expect(await upgrade(terminal, "20.04", "20.12", ...selected)).toBe(2);
    expect(terminal.out).toMatch(/^11 stacks: t0, t2, .*, t10 and 1 more\n/);
    expect(terminal.out.split("cwp_registry_scan.r: ")).toHaveLength(2);
    expect(terminal.out).not.toContain("canary");
    expect(terminal.out).toContain("Checked 11 stacks.");
  });

  test("that do not exist are an error", async () => {
    const directory = temporaryFolder();
    const out = writeStacks(directory, { one: {} });
    const terminal = new TestTerminal({ directory });
    expect(await upgrade(terminal, "20.04", "20.12", "tow", "--out-dir", out)).toBe(1);
    expect(terminal.err).toContain('There is no stack named "tow"');
  });
});

describe("the consoles of a file of tenants", () => {
  const inline = [
    { registry: "quay.io", repository: "b", tag: "1", credential: { type: "basic", secret: {} } },
  ];

  test("are checked each, or those of a label; alike findings are shown once", async () => {
    const { simulator, terminal } = await openConsole({ release: "20.04", tenants: 3 });
    try {
      for (const { console } of simulator.consoles.slice(0, 2)) {
        await console.edit({ registry: inline });
      }
      const rows = [
        ...simulator.consoles.map(({ name, url }) => `${name},${url},wide,`),
        "other,https://other.example.com,canary,20.12",
        "down,https://127.0.0.1:1,canary,",
        "wrong,htps//wrong,canary,",
      ];
      const header = "name,url,labels.ring,settings.console.release";
      writeFileSync(join(terminal.directory, "tenants.csv"), [header, ...rows].join("\n"));
      const of = ["--console", "--tenants", "tenants.csv"];
      expect(await upgrade(terminal, "20.04", "20.12", ...of, "--label", "ring=wide")).toBe(2);
      expect(terminal.err).toBe("");
      expect(terminal.out).toContain(
        "2 consoles, GET /api/v1/settings/registry: tenant-0001, tenant-0002\n",
      );
      expect(terminal.out.split("9.1.2")).toHaveLength(2);
      expect(terminal.out).toContain("Checked the settings of 3 consoles.");

      const { directory, environment } = terminal;
      const set = Object.entries(environment).map(([name, value]) => [name, value ?? ""] as const);
      const all = new TestTerminal({ directory, environment: Object.fromEntries(set) });
      expect(await upgrade(all, "20.04", "20.12", ...of, "!tenant-0001", "--json")).toBe(1);
      expect(documentOf(all).checked).toEqual({ tenants: ["tenant-0002", "tenant-0003"] });
      expect(documentOf(all).findings).toMatchObject([{ kind: "console", tenant: "tenant-0002" }]);
      expect(all.err).toContain("so they are not checked: other.");
      expect(all.err).toContain("Stack down");
      expect(all.err).toContain("misspelled scheme");
      expect(all.err).toContain("tenants.csv:7");
    } finally {
      await simulator.close();
    }
  });
});

describe("a live console", () => {
  test("of 20.04 loses inline credentials and firewall rules, and receives only GETs", async () => {
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
        credentials: { method: "basic", username: "admin", password: "long-secret" },
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

  test("of 20.12 is read by the release of --from, with a warning if the environment has another one", async () => {
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
