import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { LONG_TESTS } from "../support/cases";

jest.setTimeout(LONG_TESTS ? 3_600_000 : 240_000);

const ROOT = join(__dirname, "../..");
const FIXTURE = join(__dirname, "fixtures/estate");
const PASSWORD = "correct-horse-battery";
const CONSOLES = 40;

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  const signedUp = { username: "admin", password: PASSWORD };
  simulator = await startSimulator({ tenants: CONSOLES, signedUp, licensed: true });
});
afterAll(() => simulator.close());
beforeEach(open);

/** A project of a user, who has installed this package. */
function open(): void {
  directory = temporaryFolder();
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  const paths = { "cdktf-console": [join(ROOT, "src/index.ts")] };
  const project = { compilerOptions: { module: "Node16", moduleResolution: "Node16", paths } };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(project));
}

const environment = () => ({
  CONSOLE_CA_FILE: simulator.caFile,
  CONSOLE_USERNAME: "admin",
  CONSOLE_PASSWORD: PASSWORD,
});

async function run(...command: string[]) {
  const terminal = new TestTerminal({ directory, environment: environment() });
  const code = await terminal.run(...command);
  return { code, out: terminal.out, err: terminal.err };
}

const adopted = (name: string) => readFileSync(join(directory, "adopted", name), "utf8");

/** Runs the program in this process, as its app would run it. */
function synthesized(): void {
  const before = { directory: process.cwd(), environment: process.env };
  process.env = { ...before.environment, ...environment(), CDKTF_OUTDIR: "cdktf.out" };
  process.chdir(directory);
  try {
    jest.requireActual(join(directory, "adopted/main.ts"));
  } finally {
    process.env = before.environment;
    process.chdir(before.directory);
  }
}

const consoles = () => simulator.consoles.map(({ console }) => console);
const writes = () =>
  consoles().flatMap(({ requests }) =>
    requests.filter(({ method, path }) => method !== "GET" && !path.includes("/authenticate")),
  );

function writeTenants(rows: readonly object[]): void {
  writeFileSync(join(directory, "tenants.json"), JSON.stringify({ tenants: rows }));
}

type Item = Readonly<Record<string, unknown>>;
interface Content {
  readonly policies: readonly Item[];
  readonly registry?: readonly Item[];
  readonly serverlessAutoDeploy?: readonly Item[];
}

async function fill(contents: readonly Content[]): Promise<void> {
  for (const [at, { policies, registry = [], serverlessAutoDeploy = [] }] of contents.entries()) {
    await consoles()[at]?.edit({ policies, registry, serverlessScan: [], serverlessAutoDeploy });
  }
}

const policy = (name: string, checks: Readonly<Record<string, boolean>>, more: object = {}) => ({
  name,
  condition: {
    vulnerabilities: Object.entries(checks).map(([id, block]) => ({ id: Number(id), block })),
  },
  ...more,
});

describe("an estate of fourteen tenants", () => {
  const root = policy("No root", { 599: true }, { notes: "Agreed on in May." });
  const host = policy("Host baseline", { 41: true, 51: true });
  const rest = policy("Everything else", { 41: false, 51: false });
  const card = policy("Card data", { 5041: true }, { resources: { namespaces: ["card-*"] } });
  const registry = [{ registry: "quay.io", repository: "shop/*", tag: "*", credentialID: "quay" }];
  const common = { policies: [root, host, rest], registry };
  const strict = policy("Everything else", { 41: true, 51: false });
  const legacy = policy("Legacy jobs", { 599: false }, { resources: { images: ["legacy/*"] } });
  const contents: Readonly<Record<string, Content>> = {
    ...Object.fromEntries(["acme", "aero", "apex", "bolt", "cora"].map((name) => [name, common])),
    "shop-eu": { ...common, policies: [card, ...common.policies] },
    "shop-uk": { ...common, policies: [card, ...common.policies] },
    "shop-us": { ...common, policies: [card, root, host, strict] },
    dune: { ...common, policies: [legacy, ...common.policies] },
    echo: { policies: common.policies },
    flux: { ...common, policies: [root, rest] },
    gaia: { ...common, policies: [root, host, legacy, rest] },
    hera: { ...common, policies: [root, host, rest, policy("twice", {}), policy("twice", {})] },
    iris: common,
  };

  test("becomes a program that a person would write, whose plan only imports", async () => {
    await fill(Object.values(contents));
    const rows = Object.keys(contents).map((name, at) => ({
      name,
      url: simulator.consoles[at]?.url,
      labels: { region: name.startsWith("a") ? "us" : "eu" },
    }));
    writeTenants(rows);
    const before = writes().length;
    const ran = await run("adopt", "--tenants", "tenants.json", "--common", "70%");
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
    expect(ran.out).toContain("14 tenants\n");
    expect(ran.out).toMatch(/^order of policies +gaia +keeps it/m);
    expect(ran.out).toMatch(/^2 of 5 compliance policies +hera +keeps them/m);

    const written = new Map([
      ["main.ts", adopted("main.ts")],
      [
        "tenants.yaml",
        simulator.consoles.reduce(
          (text, { url }, at) =>
            text.replaceAll(`${url}\n`, `https://${rows[at]?.name}.example.com:8083\n`),
          adopted("tenants.yaml"),
        ),
      ],
      ["gaia.json", adopted("policies/gaia.json")],
    ]);
    for (const [name, text] of written) {
      const file = join(FIXTURE, `${name}.txt`);
      if (process.env.WRITE_FIXTURES) {
        mkdirSync(FIXTURE, { recursive: true });
        writeFileSync(file, text);
      }
      expect(text).toBe(readFileSync(file, "utf8"));
    }
    expect(readdirSync(join(directory, "adopted/policies"))).toEqual(["gaia.json"]);

    synthesized();
    const planned = await run("plan", "--out-dir", "cdktf.out");
    expect(planned.err).toBe("");
    expect(planned.out).toContain(" 0 to add, 0 to change, 0 to destroy.");
    expect(writes()).toHaveLength(before);
  });
});

test("leaves out a tenant that cannot be read by its name, and adopts the others", async () => {
  await fill([{ policies: [policy("a", { 41: true })] }]);
  const url = simulator.consoles[0].url;
  writeTenants([
    { name: "one", url },
    { name: "other", url: "https://127.0.0.1:1" },
    { name: "third", url: `${url}/x`, secrets: { password: "NOT_SET" } },
    { name: "wrong", url: "https://wrong.example.com", removed: "perhaps" },
  ]);
  const { code, err } = await run("adopt", "--tenants", "tenants.json");
  expect(code).toBe(1);
  expect(err).toContain("Stack other");
  expect(err).toContain("Stack third");
  expect(err).toContain("The environment does not set NOT_SET.");
  expect(err).toContain("tenants.json:1: removed must be true or false");
  expect(adopted("tenants.yaml")).toBe(`tenants:\n  - name: one\n    url: ${url}\n`);
  const again = await run("adopt", "--tenants", "tenants.json");
  expect(again.err).toContain("File already exists");
});

test("takes addresses, and names the tenants after their hosts", async () => {
  await fill([{ policies: [policy("a", {})] }, { policies: [policy("a", {})] }]);
  const urls = simulator.consoles.slice(0, 2).map(({ url }) => url);
  writeFileSync(join(directory, "consoles.txt"), `# ours\n${urls.join("\n")}\n`);
  expect((await run("adopt", "--consoles", "consoles.txt")).code).toBe(0);
  synthesized();
  const planned = await run("plan", "--out-dir", "cdktf.out");
  expect(planned.out).toContain("will be imported");
  expect(planned.out).toContain(
    "Total of 2 stacks: 2 to import, 0 to add, 0 to change, 0 to destroy.",
  );
});

const named = (names: readonly string[]) =>
  fc.record({
    name: fc.constantFrom(...names),
    disabled: fc.boolean(),
    block: fc.dictionary(fc.constantFrom("41", "51", "599"), fc.boolean(), { maxKeys: 2 }),
    namespaces: fc.uniqueArray(fc.constantFrom("*", "a-*", "${x}", "b"), { minLength: 1 }),
    notes: fc.constantFrom("", "by hand", "%{x}"),
  });
const content = fc.record({
  policies: fc.uniqueArray(named(["a", "b", "c", "d", "e", "yes", "${x}"]), {
    selector: ({ name }) => name,
    maxLength: 6,
  }),
  registry: fc.subarray(["r", "s"]),
  specs: fc.shuffledSubarray(["x", "y", "z"]),
});
const estates = fc
  .tuple(fc.array(content, { minLength: 1, maxLength: 3 }), fc.array(content, { maxLength: 8 }))
  .chain(([common, others]) =>
    fc.record({
      common: fc.constantFrom("50%", "80%", "100%"),
      contents: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...common) },
          fc.constantFrom(...common, ...others),
        ),
        { minLength: CONSOLES, maxLength: CONSOLES },
      ),
    }),
  );

test("plans no change for any tenant of random estates", async () => {
  await fc.assert(
    fc.asyncProperty(estates, async ({ common, contents }) => {
      open();
      await fill(
        contents.map(({ policies, registry, specs }) => ({
          policies: policies.map(({ name, disabled, block, namespaces, notes }) =>
            policy(name, block, { disabled, notes, resources: { namespaces } }),
          ),
          registry: registry.map((one) => ({ registry: one, repository: "*", tag: "*" })),
          serverlessAutoDeploy: specs.map((name) => ({ name, credentialID: "c", provider: "aws" })),
        })),
      );
      writeTenants(simulator.consoles.map(({ name, url }) => ({ name, url })));
      const before = writes().length;
      const ran = await run("adopt", "--tenants", "tenants.json", "--common", common);
      expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
      synthesized();
      const planned = await run("plan", "--out-dir", "cdktf.out", "--review-json", "review.json");
      expect({ code: planned.code, err: planned.err }).toEqual({ code: 0, err: "" });
      expect(planned.out).toMatch(/ 0 to add, 0 to change, 0 to destroy\.|^No changes\./m);
      expect(writes()).toHaveLength(before);
    }),
    { numRuns: LONG_TESTS ? 50 : 2 },
  );
  expect(existsSync(join(directory, "adopted/main.ts"))).toBe(true);
});

const BASE = ["a", "b", "c", "d"];
/** Some of the base line and policies of one tenant, in any order. */
const orders = fc
  .tuple(fc.subarray(BASE), fc.subarray(["x", "y"]))
  .filter(([of, own]) => of.length + own.length > 1)
  .chain(([of, own]) =>
    fc.shuffledSubarray([...of, ...own], { minLength: of.length + own.length }),
  );

/** Reports whether a merge makes the order: new policies first, then those of the base line as in it. */
const isExpressible = (names: readonly string[]) => {
  const positions = names.map((name) => BASE.indexOf(name));
  return positions.every((at, index) => index === 0 || (positions[index - 1] ?? 0) <= at);
};

test("names each tenant whose order overrides cannot express, with its whole list", async () => {
  const lists = fc.array(orders, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lists, async (others) => {
      open();
      const names = [...others, ...Array.from({ length: CONSOLES - others.length }, () => BASE)];
      await fill(
        names.map((list) => ({ policies: list.map((name) => policy(name, { 41: true })) })),
      );
      writeTenants(simulator.consoles.map(({ name, url }) => ({ name, url })));
      const ran = await run("adopt", "--tenants", "tenants.json");
      expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
      const tenants = simulator.consoles.map(({ name }) => name);
      const whole = tenants.filter((_, at) => !isExpressible(names[at] ?? []));
      const { tenants: rows } = parse(adopted("tenants.yaml")) as { tenants: readonly Item[] };
      expect(rows.filter((row) => row.policiesFile).map(({ name }) => name)).toEqual(whole);
      for (const [at, name] of tenants.entries()) {
        if (!whole.includes(name)) continue;
        const list = JSON.parse(adopted(`policies/${name}.json`)) as readonly Item[];
        expect(list.map((one) => one.name)).toEqual(names[at]);
      }
      expect(ran.out).toContain(`${whole.length} with a whole list of policies`);
      if (whole[0] !== undefined) expect(ran.out).toMatch(`order of policies  ${whole[0]}`);
      synthesized();
      const planned = await run("plan", "--out-dir", "cdktf.out");
      expect(planned.out).toContain(" 0 to add, 0 to change, 0 to destroy.");
    }),
    { numRuns: LONG_TESTS ? 20 : 1 },
  );
});
