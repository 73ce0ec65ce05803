import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Agent, fetch } from "undici";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const start = () => new TestTerminal({ directory: temporaryFolder() });

interface Served {
  name: string;
  url: string;
  caFile: string;
  release: string;
}

test("prints one line for each console when all serve, and exits with 0 on SIGTERM", async () => {
  const terminal = start();
  const ended = terminal.run("simulate", "--port", "0", "--tenants", "2", "--release", "20.09");
  await terminal.printed(/\n.*\n/);
  const lines = terminal.out.trimEnd().split("\n");
  const consoles = lines.map((line) => JSON.parse(line) as Served);
  expect(consoles.map(({ name, release }) => [name, release])).toEqual([
    ["tenant-0001", "20.09"],
    ["tenant-0002", "20.09"],
  ]);
  const dispatcher = new Agent({ connect: { ca: readFileSync(consoles[0]!.caFile) } });
  for (const { url } of consoles) {
    const response = await fetch(`${url}/api/v1/_ping`, { dispatcher });
    expect(response.status).toBe(200);
    await response.text();
  }
  await dispatcher.close();
  terminal.interrupt("SIGTERM");
  expect(await ended).toBe(0);
  expect(terminal.out.trimEnd().split("\n")).toEqual(lines);
});

test("--signed-up creates a user, and --fault affects the named requests", async () => {
  const terminal = start();
  const argv = [
    "--signed-up",
    "admin:pa:ss",
    "--licensed",
    "--fault",
    "getCompliancePolicies:status=503:1",
  ];
  const ended = terminal.run("simulate", "--port", "0", ...argv);
  await terminal.printed("\n");
  const { url, caFile } = JSON.parse(terminal.out) as Served;
  const dispatcher = new Agent({ connect: { ca: readFileSync(caFile) } });
  const headers = { authorization: `Basic ${Buffer.from("admin:pa:ss").toString("base64")}` };
  const path = `${url}/api/v1/policies/compliance/container`;
  const statuses: number[] = [];
  for (let i = 0; i < 2; i += 1) {
    const response = await fetch(path, { dispatcher, headers });
    statuses.push(response.status);
    await response.text();
  }
  expect(statuses).toEqual([503, 200]);
  await dispatcher.close();
  terminal.interrupt();
  expect(await ended).toBe(0);
});

describe("fails with exit code 1 for", () => {
  test.each([
    ["--fault", "nonsense", /Error: Invalid fault\n\nThe fault "nonsense" cannot be read/],
    [
      "--fault",
      "GET /api/v1/imags:html",
      /Error: Invalid fault\n\n.* Did you mean "GET \/api\/v1\/images"\?/,
    ],
    ["--release", "19.11", /argument '19\.11' is invalid\. Allowed choices are 20\.04, /],
    ["--signed-up", "admin", /--signed-up must be USER:PASS/],
    ["--client-ca", "missing.pem", /--client-ca cannot be read: \S+\/missing\.pem: no such file/],
    ["--tls-cert", "missing.pem", /--tls-cert cannot be read: \S+\/missing\.pem: no such file/],
    ["--tenants", "0", /It must be a whole number, 1 or more\./],
  ])("%s %s", async (option, value, message) => {
    const terminal = start();
    expect(await terminal.run("simulate", "--port", "0", option, value)).toBe(1);
    expect(terminal.err.replace(/(?<=\S)\n(?=\S)/g, " ")).toMatch(message);
    expect(terminal.out).toBe("");
  });

  test("a port that is in use", async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const terminal = start();
    expect(await terminal.run("simulate", "--port", String(port))).toBe(1);
    expect(terminal.err).toContain("Error: The port is in use");
    expect(terminal.err.replaceAll("\n", " ")).toContain("choose another port with --port (0 =");
    await new Promise((closed) => server.close(closed));
  });

  test("a file that is not a certificate", async () => {
    const terminal = start();
    writeFileSync(join(terminal.directory, "c.pem"), "hello");
    expect(await terminal.run("simulate", "--port", "0", "--tls-cert", "c.pem")).toBe(1);
    expect(terminal.err).toContain("Error: Invalid certificate");
  });
});

test("a terminal shows what to export, and how to stop", async () => {
  const terminal = new TestTerminal({ directory: temporaryFolder(), columns: 80 });
  const ended = terminal.run("simulate", "--port", "0", "--signed-up", "me:it's", "--no-color");
  await terminal.printed("Ctrl-C");
  expect(terminal.out).toMatch(/^An embedded console of release 20\.12 serves https:\S+\n/);
  expect(terminal.out).toMatch(/^ {2}export CONSOLE_CA_FILE=\/\S+$/m);
  expect(terminal.out).toMatch(/^ {2}export CONSOLE_USERNAME=me$/m);
  expect(terminal.out).toContain("  export CONSOLE_PASSWORD='it'\\''s'\n");
  terminal.interrupt();
  expect(await ended).toBe(0);
});

describe("with a command", () => {
  const program = (source: string) => ["--", process.execPath, "-e", source];

  test("serves while it runs, and ends with its exit code", async () => {
    const terminal = start();
    const source = "console.log(process.env.CONSOLE_URL); process.exit(7)";
    expect(await terminal.run("simulate", ...program(source))).toBe(7);
    expect(terminal.out).toMatch(/^https:\/\/127\.0\.0\.1:\d+\n$/);
  });

  test("selects a workspace for each console, and the same one while its data is kept", async () => {
    const directory = temporaryFolder();
    const workspaceOf = async (...options: string[]) => {
      const terminal = new TestTerminal({ directory });
      const source = "console.log(process.env.TF_WORKSPACE)";
      expect(await terminal.run("simulate", ...options, ...program(source))).toBe(0);
      return terminal.out;
    };
    const runs = [
      [],
      [],
      ["--data", "one"],
      ["--data", "two"],
      ["--data", "one", "--tenants", "2"],
    ];
    const workspaces: string[] = [];
    for (const options of runs) workspaces.push(await workspaceOf(...options));
    for (const workspace of workspaces) expect(workspace).toMatch(/^embedded-[0-9a-f]{8}\n$/);
    expect(new Set(workspaces).size).toBe(runs.length);
    for (const [at, options] of runs.entries()) {
      if (options.length > 0) expect(await workspaceOf(...options)).toBe(workspaces[at]);
    }
    rmSync(join(directory, "one"), { recursive: true });
    expect(workspaces).not.toContain(await workspaceOf("--data", "one"));
  });

  test("keeps a workspace that is set", async () => {
    const terminal = new TestTerminal({
      directory: temporaryFolder(),
      environment: { TF_WORKSPACE: "mine" },
    });
    await terminal.run("simulate", ...program("console.log(process.env.TF_WORKSPACE)"));
    expect(terminal.out).toBe("mine\n");
  });

  test("lists all consoles in tenants.csv, in place of those of an earlier run", async () => {
    const directory = temporaryFolder();
    const file = join(directory, "tenants.csv");
    const list = "console.log(require('fs').readFileSync(process.env.TENANTS_FILE, 'utf8'))";
    const urls = (rows: string) =>
      [...rows.matchAll(/^(?:console|tenant-\d+),(https:.*)$/gm)].map(([, url]) => url);
    const serve = async (count: string) => {
      const terminal = new TestTerminal({ directory });
      expect(await terminal.run("simulate", "--tenants", count, ...program(list))).toBe(0);
      expect(terminal.out.trimEnd()).toBe(readFileSync(file, "utf8").trimEnd());
      return urls(terminal.out);
    };
    const first = await serve("3");
    const second = await serve("12");
    const [one, ...others] = await serve("1");
    expect([first.length, new Set(second).size, others.length]).toEqual([3, 12, 0]);
    expect([...second, one]).not.toContain(first[0]);
    expect(await serve("2")).toHaveLength(2);
  });

  test("keeps tenants.csv of the user, and starts nothing", async () => {
    const terminal = start();
    const file = join(terminal.directory, "tenants.csv");
    writeFileSync(file, "name,url\nacme,https://acme.example.com\n");
    expect(
      await terminal.run("simulate", "--tenants", "2", ...program("console.log('runs')")),
    ).toBe(1);
    expect(terminal.err).toContain("Error: Tenants cannot be written\n");
    expect(terminal.out).toBe("");
    expect(readFileSync(file, "utf8")).toContain("acme");
  });

  test("passes a request to end on to it", async () => {
    const terminal = start();
    const source = "console.log('runs'); setInterval(() => {}, 1000)";
    const ended = terminal.run("simulate", ...program(source));
    await terminal.printed("runs");
    terminal.interrupt("SIGTERM");
    expect(await ended).toBe(128 + 15);
  });

  test("that does not exist fails with its name", async () => {
    const terminal = start();
    expect(await terminal.run("simulate", "--", "no-such-program")).toBe(1);
    expect(terminal.err).toMatch(/Error: The command cannot be started\n\nno-such-program: /);
  });
});
