import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { world } from "../../src/core/io/world";
import { isFilledIn } from "../../src/provider/collections/members";
import { startSimulator, type Console, type Fault, type Simulator } from "../../src/simulator";
import { temporaryFolder, writeStacks, type StackJson } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { SIGNED_UP } from "./support/fleet";

/*
 * Random waves whose consoles fail at random are rolled back, also by runs that fail and are resumed:
 * each console and each state has what it had before, or the tenant is refused by name.
 */

const WAVES = Number(process.env.ROLLBACK_WAVES ?? (process.env.LONG_TESTS ? 1000 : 6));
const TENANTS = 4;
const TYPES = ["cwp_compliance_policy_set", "cwp_registry_scan", "cwp_serverless_auto_deploy"];
const COLLECTIONS = ["policies", "registry", "serverlessAutoDeploy"] as const;

jest.setTimeout(60_000 + WAVES * 15_000);

let simulator: Simulator;
let directory: string;

// Pauses before repeated requests are most of the time of a wave.
const { clock } = world;
beforeAll(() => {
  world.clock = { ...clock, sleep: (pauseMs, signal) => clock.sleep(pauseMs / 100, signal) };
});
afterAll(() => {
  world.clock = clock;
});

beforeAll(async () => {
  simulator = await startSimulator({ tenants: TENANTS, signedUp: SIGNED_UP, licensed: true });
  directory = temporaryFolder();
  // Entries that no stack manages.
  for (const { console } of simulator.consoles) {
    await console.load({
      policies: [{ name: "mine" }, { name: "yours" }],
      registry: [{ registry: "other.example.com", repository: "x", tag: "*" }],
    });
  }
});
afterAll(() => simulator.close());

async function run(...argv: readonly string[]) {
  const environment = { TF_VAR_PASSWORD: SIGNED_UP.password };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run("apply", "--auto-approve", "--out-dir", "cdktf.out", ...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const names = () => simulator.consoles.map(({ name }) => name);

/** The collections of a console, without authors, times and members that were never set. */
const contentOf = (console: Console) =>
  COLLECTIONS.map((kind) => console.collection(kind).map(withoutUnset));

function withoutUnset(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  if (Array.isArray(item)) return item.map(withoutUnset);
  const isSet = ([name, value]: [string, unknown]) =>
    name !== "modified" && name !== "owner" && !isFilledIn(value);
  return Object.fromEntries(
    Object.entries(item)
      .filter(isSet)
      .map(([name, value]) => [name, withoutUnset(value)]),
  );
}

/**
 * The objects of collections in the state of a tenant, without the digest of the whole collection and
 * the names of its other entries: each refresh of another object of the same collection changes them.
 */
function objectsOf(name: string): unknown {
  const file = join(directory, `terraform.${name}.tfstate`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : '{"resources":[]}';
  const { resources } = JSON.parse(text, (key, value: unknown) => {
    if (key !== "private" || typeof value !== "string") return value;
    const kept = JSON.parse(Buffer.from(value, "base64").toString()) as object;
    return { ...kept, digest: undefined, others: undefined };
  }) as { resources: { type: string }[] };
  return resources.filter(({ type }) => TYPES.includes(type));
}

const everything = () =>
  simulator.consoles.map(({ name, console }) => ({
    name,
    content: contentOf(console),
    objects: objectsOf(name),
  }));

const policy = fc.record({
  name: fc.constantFrom("a", "b", "c", "d"),
  disabled: fc.boolean(),
  checks: fc.constantFrom({ 41: true }, { 41: false, 599: true }, {}),
});
const some = fc.uniqueArray(policy, { maxLength: 3, selector: ({ name }) => name });
const set = fc.record({ policies: some, on_destroy: fc.constantFrom("restore", "keep") });
const registry = fc.record({
  ownership: fc.constant("shared"),
  specifications: fc.uniqueArray(
    fc.record({
      registry: fc.constantFrom("one.example.com", "two.example.com"),
      repository: fc.constant("x"),
      tag: fc.constant("*"),
      cap: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, selector: (one) => one.registry },
  ),
});
const deploy = fc.record({
  specs: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("f", "g"),
      credential_id: fc.constant("aws"),
      provider: fc.constant("aws"),
      runtimes: fc.constant(["python3.8"]),
    }),
    { minLength: 1, selector: ({ name }) => name },
  ),
});

/** A configuration of a tenant: sets before and behind the unmanaged policies, and other collections. */
const configuration = fc.record({
  prefix: fc.option(set, { nil: undefined }),
  suffix: fc.option(set, { nil: undefined }),
  registry: fc.option(registry, { nil: undefined }),
  deploy: fc.option(deploy, { nil: undefined }),
});
type Configuration = typeof configuration extends fc.Arbitrary<infer T> ? T : never;

const EMPTY: Configuration = {
  prefix: undefined,
  suffix: undefined,
  registry: undefined,
  deploy: undefined,
};

function stackOf(index: number, { prefix, suffix, registry, deploy }: Configuration): StackJson {
  // Names of policies are unique on a console.
  const renamed = suffix?.policies.map((one) => ({ ...one, name: `${one.name}-suffix` }));
  return {
    provider: {
      cwp: [
        {
          base_url: simulator.consoles[index]!.url,
          ca_certificate_file: simulator.caFile,
          username: SIGNED_UP.username,
          password: "${var.PASSWORD}",
          max_retries: 1,
        },
      ],
    },
    variable: { PASSWORD: { type: "string", sensitive: true, ephemeral: true } },
    resource: {
      cwp_compliance_policy_set: {
        ...(prefix && { prefix: { ...prefix, ownership: "prefix" } }),
        ...(suffix && { suffix: { ...suffix, policies: renamed, ownership: "suffix" } }),
      },
      cwp_registry_scan: registry ? { main: registry } : {},
      cwp_serverless_auto_deploy: deploy ? { main: deploy } : {},
    },
  };
}

const configure = (all: readonly Configuration[]) =>
  writeStacks(
    directory,
    Object.fromEntries(
      all.map((one, index) => [simulator.consoles[index]!.name, stackOf(index, one)]),
    ),
  );

const fault: fc.Arbitrary<Fault> = fc.record({
  target: fc.constantFrom(
    "PUT /api/v1/policies",
    "GET /api/v1/policies",
    "PUT /api/v1/settings",
    "*",
  ),
  skip: fc.nat({ max: 6 }),
  times: fc.integer({ min: 1, max: 4 }),
  outcome: fc.oneof(
    fc.record({
      kind: fc.constant("status" as const),
      status: fc.constantFrom(400, 429, 500, 503),
    }),
    fc.record({ kind: fc.constantFrom("reset-before" as const, "reset-after", "truncate") }),
  ),
});
const faults = fc.array(fc.tuple(fc.nat({ max: TENANTS - 1 }), fault), { maxLength: 5 });

const pace = fc.constantFrom<readonly string[]>(
  [],
  ["--waves", "1,50%,100%"],
  ["--waves", "2,100%", "--max-failures", "3"],
  ["--max-failures", "1"],
);

const wave = fc.record({
  configurations: fc.array(configuration, { minLength: TENANTS, maxLength: TENANTS }),
  faults,
  pace,
  /** The tenant whose console somebody changes after the run. */
  changed: fc.option(fc.nat({ max: TENANTS - 1 }), { nil: undefined }),
  backFaults: faults,
  backPace: pace,
});

const withoutSomebody = (console: Console) =>
  console.policies().filter(({ name }) => name !== "somebody");

function disturb(given: readonly (readonly [number, Fault])[]): void {
  for (const { console } of simulator.consoles) console.faults.clear();
  for (const [index, one] of given) simulator.consoles[index]!.console.faults.add(one);
}

test(`${WAVES} random waves with faults go back, or the tenant is refused by name`, async () => {
  let refused = 0;
  let failed = 0;
  configure(names().map(() => EMPTY));
  expect(await run()).toMatchObject({ code: 0 });
  await fc.assert(
    fc.asyncProperty(wave, async (given) => {
      // Each wave starts with the stacks and consoles that the one before has left.
      const before = everything();
      configure(given.configurations);
      disturb(given.faults);
      const applied = await run("--run-log", "run.jsonl", ...given.pace);
      if (applied.code !== 0) failed++;
      disturb([]);
      const ran = everything();
      const { changed } = given;
      const tampered = changed === undefined ? undefined : simulator.consoles[changed]!;
      if (tampered) {
        const policies = tampered.console.policies();
        await tampered.console.load({ policies: [...policies, { name: "somebody" }] });
      }
      disturb(given.backFaults);
      const options = ["--rollback", "run.jsonl", "--run-log", "back.jsonl"];
      const { code, out, err } = await run(...options, ...given.backPace);
      disturb([]);
      // A tenant that is refused is refused again.
      const back = code === 0 ? undefined : await run(...options, "--resume", "back.jsonl");

      for (const [index, { name, console }] of simulator.consoles.entries()) {
        if (name === tampered?.name) await console.load({ policies: withoutSomebody(console) });
        const now = everything()[index];
        if (name === tampered?.name && !isDeepStrictEqual(now, before[index])) {
          refused++;
          expect({ name, now }).toEqual({ name, now: ran[index] });
          expect(back?.err).toContain("changed since the run");
          expect(out + err).toMatch(new RegExp(`${name}|1 of 1 stack`));
        } else if (!isDeepStrictEqual(now, before[index])) {
          expect({ name, now, out, err, again: back?.out, refused: back?.err }).toEqual(
            before[index],
          );
        }
      }
    }),
    { numRuns: WAVES, endOnFailure: true },
  );
  // The waves were no easy ones.
  if (WAVES > 100) expect(Math.min(refused, failed)).toBeGreaterThan(WAVES / 20);
});
