import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASES } from "../../src/api/release";
import { type Examination, examinationSchema } from "../../src/cli/doctor/finding";
import { requestsOf } from "../../src/cli/doctor/requests";
import type { Simulator } from "../../src/simulator";
import {
  startSecondConsole,
  type SecondConsole,
  type SecondConsoleOptions,
} from "../second-console";
import { openConsole } from "./console-terminal";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator | undefined;
let second: SecondConsole | undefined;
afterEach(async () => {
  await simulator?.close();
  await second?.close();
  simulator = undefined;
  second = undefined;
});

const ADMIN = { CONSOLE_USERNAME: "admin", CONSOLE_PASSWORD: "long-secret" };

async function openSecond(options: SecondConsoleOptions = {}, environment = {}) {
  second = await startSecondConsole(options);
  return new TestTerminal({
    directory: temporaryFolder(),
    environment: { ...second.environment, ...ADMIN, CONSOLE_RELEASE: "next", ...environment },
  });
}

async function examined(terminal: TestTerminal) {
  const code = await terminal.run("doctor", "--yes", "--json");
  expect([terminal.err, code === 0 || code === 2]).toEqual(["", true]);
  const document = examinationSchema.parse(JSON.parse(terminal.out));
  /** The findings of a check as `result found`. */
  const of = (check: string, subject = "") =>
    document.findings
      .filter((one) => one.check === check && one.subject === subject)
      .map(({ result, found }) => `${result}: ${found}`);
  return { code, document, of };
}

const differing = ({ findings }: Examination) =>
  findings
    .filter(({ result }) => result === "differs")
    .map(({ check, subject }) => [check, subject]);

test.each(RELEASES)("nothing of a simulated console of %s differs for a write", async (release) => {
  const opened = await openConsole({ release });
  ({ simulator } = opened);
  const { code, document, of } = await examined(opened.terminal);
  expect([code, differing(document)]).toEqual([0, []]);
  expect(of("reachable")).toEqual(["holds: the console serves"]);
  expect(of("sign-up")).toEqual(["holds: the credentials are accepted"]);
  expect(of("release")).toEqual([
    `holds: like ${release === "20.09" ? "20.12" : release}, examined as ${release}`,
  ]);
  expect(of("certificate")).toEqual([expect.stringMatching(/^holds: .*127\.0\.0\.1.*valid for/)]);
  expect(of("clock")).toEqual([expect.stringMatching(/^holds: \d+ s /)]);
  expect(of("round trip", "compliance policies")).toEqual(["holds: equal"]);
  expect(of("pages", "containers")).toEqual([
    expect.stringMatching(/^holds: 50 rows for limit=50, Total-Count \d+$/),
  ]);
  const shapes = document.findings.filter(({ check }) => check === "shape");
  expect(shapes.map(({ result }) => result)).toEqual(shapes.map(() => "holds"));
});

test("only lists requests that read, and sends no others", async () => {
  const opened = await openConsole({});
  ({ simulator } = opened);
  expect(await opened.terminal.run("doctor", "--yes")).toBe(0);
  const listed = requestsOf("20.12");
  const token = "POST /api/v1/authenticate";
  expect(listed.filter((request) => !request.startsWith("GET "))).toEqual([token]);
  expect(listed.filter((request) => /scan$|download|script|bundle/.test(request))).toEqual([
    "GET /api/v1/settings/serverless-scan",
  ]);
  for (const request of listed) expect(opened.terminal.out).toContain(`  ${request}\n`);
  const paths = listed.map((request) => request.replace(/\?.*/, ""));
  const sent = simulator.consoles[0].console.requests;
  for (const { method, path } of sent) expect(paths).toContain(`${method} ${path.split("?")[0]!}`);
  expect(sent.length).toBeGreaterThan(30);
});

test("sends nothing before somebody has agreed", async () => {
  const { terminal, simulator: started } = await openConsole({});
  simulator = started;
  const { console } = started.consoles[0];
  expect(await terminal.run("doctor")).toBe(1);
  expect(terminal.err).toContain("Not confirmed");
  const { directory, environment } = terminal;
  const asked = (answer: string) =>
    new TestTerminal({
      directory,
      environment: environment as Record<string, string>,
      answers: [answer],
    });
  expect(await asked("no").run("doctor")).toBe(1);
  expect(console.requests).toEqual([]);
  const agreed = asked("yes");
  expect(await agreed.run("doctor")).toBe(0);
  expect(agreed.out).toMatch(/\nCheck +Of +Result +Found\nreachable +holds +the console serves\n/);
  expect(agreed.out).toContain("No difference affects a write.");
});

test("wrong credentials are an error", async () => {
  const { terminal, simulator: started } = await openConsole({});
  simulator = started;
  terminal.environment.CONSOLE_PASSWORD = "another-password";
  expect(await terminal.run("doctor", "--yes")).toBe(1);
  expect(terminal.err).toContain("Console refused the credentials");
});

const accounts = Array.from({ length: 60 }, (_, index) => ({ credentialId: `acc-${index}` }));
const policy = { name: "canary-policy", effect: "alert", collections: [{ name: "All" }] };

describe("a console with other habits", () => {
  test("that lacks a path, or answers another shape, makes writes fail", async () => {
    const terminal = await openSecond({
      missing: ["settings/registry"],
      intercept: ({ path, method }) =>
        method === "GET" && path === "policies/compliance/container"
          ? { status: 200, json: { policy: "none" } }
          : undefined,
    });
    const { code, of, document } = await examined(terminal);
    expect(code).toBe(2);
    expect(of("shape", "registry scan settings")).toEqual(["differs: 404: it is not there"]);
    expect(of("shape", "compliance policies")).toEqual(["differs: another shape, or not whole"]);
    const written = document.findings.filter(({ write }) => write !== undefined);
    expect(written.length).toBeGreaterThan(1);
  });

  test("that lacks kinds of the catalogue is no reason to stop", async () => {
    const missing = ["tags", "policies/admission", "cloud-scan-rules", "collections"];
    const { of, document } = await examined(await openSecond({ missing }));
    for (const subject of ["tag", "admission_policy", "cloud_account"]) {
      expect(of("shape", subject)).toEqual(["unknown: 404: it is not there"]);
    }
    expect(of("collections")).toEqual([
      "unknown: 404: it is not there: scope policies by resources",
    ]);
    expect(document.findings.filter(({ write }) => write !== undefined)).not.toContainEqual(
      expect.objectContaining({ subject: "tag" }),
    );
  });

  test("that lacks a kind which a stack manages makes its writes fail", async () => {
    const terminal = await openSecond({ missing: ["tags", "policies/admission"] });
    writeStacks(terminal.directory, { prod: { resource: { cwp_object: { a: { kind: "tag" } } } } });
    const { code, of, document } = await examined(terminal);
    expect(code).toBe(2);
    expect(of("shape", "tag")).toEqual(["differs: 404: it is not there"]);
    expect(of("shape", "admission_policy")).toEqual(["unknown: 404: it is not there"]);
    expect(document.findings.filter(({ write }) => write !== undefined)).toEqual([
      expect.objectContaining({ subject: "tag", write: "a stack that manages it fails" }),
    ]);
  });

  test.each([
    ["a kind", "tags", "tag"],
    ["the first place", "policies/compliance/container", "compliance policies"],
  ])("that fails at %s alone leaves it unknown", async (_, broken, subject) => {
    const terminal = await openSecond({
      intercept: ({ path }) => (path === broken ? { status: 500, json: {} } : undefined),
    });
    const { code, of } = await examined(terminal);
    expect([code, of("shape", subject)]).toEqual([
      0,
      ["unknown: 500: the console failed to answer"],
    ]);
    expect(of("sign-up")).toEqual(["holds: the credentials are accepted"]);
  });

  test("that fails at ping and license alone leaves both unknown", async () => {
    const opened = await openConsole({});
    ({ simulator } = opened);
    const { faults } = simulator.consoles[0].console;
    for (const target of ["GET /api/v1/_ping", "GET /api/v1/settings/license"]) {
      faults.add({ target, outcome: { kind: "status", status: 500 } });
    }
    const { code, of } = await examined(opened.terminal);
    expect([code, of("reachable")]).toEqual([0, ["unknown: no answer to the ping"]]);
    expect(of("license")).toEqual(["unknown: its expiry cannot be read"]);
    expect(of("round trip", "compliance policies")).toEqual(["holds: equal"]);
  });

  test("that fails everywhere is an error", async () => {
    const terminal = await openSecond({
      intercept: ({ path }) => (path === "_ping" ? undefined : { status: 500, json: {} }),
    });
    expect(await terminal.run("doctor", "--yes", "--json")).toBe(1);
    expect([terminal.out, terminal.err]).toEqual(["", expect.stringContaining("500 Internal")]);
  });

  test.each(["everything", "everything but tokens"])(
    "that refuses %s, and asks to wait longer than doctor does, is an error at once",
    async (refused) => {
      const answer = { status: 429, json: {}, headers: { "Retry-After": "60" } };
      const isRefused = (path: string) =>
        path !== "_ping" && (refused === "everything" || path !== "authenticate");
      const terminal = await openSecond({
        intercept: ({ path }) => (isRefused(path) ? answer : undefined),
      });
      expect(await terminal.run("doctor", "--yes", "--json")).toBe(1);
      expect([terminal.out, terminal.err.replaceAll(/\s+/g, " ")]).toEqual([
        "",
        expect.stringContaining(
          "accepts none within 20 seconds. Completed changes are kept. Run this again when the limit allows it.",
        ),
      ]);
    },
  );

  test("that is behind a path which the address lacks says so", async () => {
    const terminal = await openSecond({ prefix: "/team" });
    const url = new URL(terminal.environment.CONSOLE_URL ?? "");
    terminal.environment.CONSOLE_URL = url.origin;
    const { code, of, document } = await examined(terminal);
    expect([code, of("sign-up")]).toEqual([2, ["differs: no request was answered"]]);
    const [signUp] = document.findings.filter(({ check }) => check === "sign-up");
    expect(signUp?.write).toContain("CONSOLE_URL may lack the path in front of /api/v1");
  });

  test.each<[habit: string, SecondConsoleOptions]>([
    ["collections in full", { content: { lists: { collections: [] } } }],
    ["members that writes refuse", { readOnly: { "settings/logging": ["stdout"] } }],
    ["bodies that are repeated", { repeatsBody: ["PUT settings/logging"] }],
    ["slashes in names", { decodesSlashes: true }],
    ["documents by POST", { documentMethod: "POST" }],
    ["documents by PUT", { documentMethod: "PUT" }],
    ["refused runtime members", { unknownRuntimeMember: "future" }],
    ["profiles with IDs", { profileNeedsId: true }],
    ["Defenders with a runtime", { defenderNeedsRuntime: true }],
    ["tokens that end soon", { tokenMs: 400 }],
    ["pages without totals", { pages: { totalCount: false } }],
    ["wrong totals", { pages: { totalCount: { plus: 3 } } }],
    ["small pages", { pages: { size: 7, paths: ["*"] } }],
    ["refused offsets", { pages: { unpaged: 400 } }],
    ["one write a minute", { writes: { perMinute: 1 } }],
  ])("%s: nothing that a read shows affects a write", async (_, options) => {
    const { code, document } = await examined(await openSecond(options));
    expect([code, document.findings.filter(({ write }) => write !== undefined)]).toEqual([0, []]);
  });

  test("names that are not UTF-8 are another shape: a write would change them", async () => {
    const { code, of } = await examined(
      await openSecond({ latin1: { users: '[{"username": "caf\xe9"}]' } }),
    );
    expect([code, of("shape", "user")]).toEqual([2, ["differs: another shape, or not whole"]]);
  });

  test("pages, licenses and policies by collections are described", async () => {
    const terminal = await openSecond({
      pages: { totalCount: false },
      content: { lists: { "cloud-scan-rules": accounts } },
      writes: { perWindow: 1 },
    });
    const { of } = await examined(terminal);
    expect(of("pages", "containers")).toEqual(["holds: 50 rows for limit=50, no Total-Count"]);
    expect(of("shape", "cloud_account")).toEqual(["holds: 50 objects on the first page"]);
    expect(of("license")).toEqual([expect.stringMatching(/^holds: valid for \d+ days$/)]);
    expect(of("limits")).toEqual(["holds: none was met"]);
    expect(of("collections")).toEqual([
      "holds: 1 objects on the first page: policies can name them",
    ]);
  });

  test("members that this version does not know are named, and kept by a write", async () => {
    const specification = { registry: "r", repository: "a", tag: "*", futureMember: { canary: 1 } };
    const terminal = await openSecond({
      intercept: ({ path, method }) =>
        method === "GET" && path === "settings/registry"
          ? { status: 200, json: { specifications: [specification] } }
          : undefined,
    });
    const { of } = await examined(terminal);
    expect(of("members", "registry scan settings")).toEqual([
      "differs: not known to this version, and kept: futureMember",
    ]);
    expect(of("round trip", "registry scan settings")).toEqual(["holds: equal"]);
  });

  test("a project that is not there is missing everywhere", async () => {
    const terminal = await openSecond({ projects: ["eu"] }, { CONSOLE_PROJECT: "us" });
    const { code, of } = await examined(terminal);
    expect(code).toBe(2);
    expect(of("shape", "compliance policies")).toEqual(["differs: 404: it is not there"]);
    expect(of("shape", "defender_settings")).toEqual(["unknown: 404: it is not there"]);
    expect(of("round trip", "defender_settings")).toEqual([]);
    expect(of("project")).toEqual([`differs: nothing of "us" is answered`]);
  });

  test("a project that is there is answered", async () => {
    const { of } = await examined(
      await openSecond({ projects: ["eu"] }, { CONSOLE_PROJECT: "eu" }),
    );
    expect(of("project")).toEqual([`holds: "eu" is answered`]);
  });

  test("another release differs", async () => {
    const terminal = await openSecond({}, { CONSOLE_RELEASE: "20.04" });
    const { code, of } = await examined(terminal);
    expect(code).toBe(2);
    expect(of("release")).toEqual(["differs: like next, examined as 20.04"]);
  });

  test("a report has no names, addresses or secrets", async () => {
    const terminal = await openSecond(
      {
        content: { lists: { users: [{ username: "canary-user" }] } },
        intercept: ({ path, method }) =>
          method === "GET" && path === "policies/runtime/container"
            ? { status: 200, json: { rules: [policy], "canary-envelope": 1 } }
            : undefined,
      },
      { CONSOLE_PROJECT: "canary-project" },
    );
    await terminal.run("doctor", "--yes", "--report", "report.json");
    const text = readFileSync(join(terminal.directory, "report.json"), "utf8");
    const report = examinationSchema.parse(JSON.parse(text));
    expect(report.findings.length).toBeGreaterThan(20);
    expect(report.console).toBeUndefined();
    expect(text).not.toMatch(/canary|127\.0\.0\.1|localhost|long-secret|https?:/);
  });
});
