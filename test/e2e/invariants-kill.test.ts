import type { ConsoleRequest, ConsoleResponse } from "../../src/simulator";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// Each test starts dozens of processes, next to other suites.
jest.setTimeout(120_000);

const quickstart = synthesizeQuickstart();
const POLICIES = ["No root in production", "Trusted images", "Hardened hosts", "Everything else"];

const NO_STATE = JSON.stringify({ resources: [] });

/** The files that a successful run removes. */
const LEFTOVERS = /\.lock$|\.journal$|^\./;

/** The moment of the kill: during a request, before or after its effect. */
interface Moment {
  readonly request: number;
  readonly effect: "before" | "after";
}

/** Runs a command and kills it at a moment. */
async function killAt(tenant: Tenant, command: string, moment: Moment): Promise<void> {
  const { console } = tenant;
  const handle = console.handle.bind(console);
  const running = tenant.start(command);
  let count = 0;
  console.handle = async (request: ConsoleRequest): Promise<ConsoleResponse> => {
    // Other requests of the killed process may or may not have their effect.
    if (++count !== moment.request) return handle(request);
    const kill = async () => {
      running.child.kill("SIGKILL");
      await running.ended;
    };
    if (moment.effect === "before") {
      await kill();
      return { status: 0, headers: {}, body: "", delivered: "none" };
    }
    const response = await handle(request);
    await kill();
    return response;
  };
  const { signal } = await running.ended;
  console.handle = handle;
  expect(signal).toBe("SIGKILL");
}

/** Runs `work` for all items, a few at a time. */
async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker()]);
}

const fresh = () => Tenant.open(quickstart);

/** Expects the collections of a new console. Restored policies may have another owner. */
function asInstalled(tenant: Tenant, defaults: readonly object[]): void {
  expect(tenant.console.policies()).toEqual(
    defaults.map((policy) => ({
      ...policy,
      modified: expect.any(String) as string,
      owner: expect.stringMatching(/^(system|admin)$/) as string,
    })),
  );
  expect(tenant.console.collection("registry")).toEqual([]);
  expect(tenant.console.collection("serverlessAutoDeploy")).toEqual([]);
}

/** Expects the next run to converge and to remove its files, and destroy to restore the policies. */
async function converges(tenant: Tenant, defaults: readonly object[]): Promise<void> {
  expect((await tenant.apply()).errors).toEqual([]);
  expect(tenant.policyNames).toEqual(POLICIES);
  expect(await tenant.plan()).toEqual(NOTHING);
  expect(tenant.files().filter((name) => LEFTOVERS.test(name))).toEqual([]);
  await destroys(tenant, defaults);
}

async function destroys(tenant: Tenant, defaults: readonly object[]): Promise<void> {
  expect((await tenant.destroy()).errors).toEqual([]);
  asInstalled(tenant, defaults);
  expect(JSON.parse(tenant.state("quickstart") ?? NO_STATE)).toMatchObject({ resources: [] });
  expect(tenant.files().filter((name) => LEFTOVERS.test(name))).toEqual([]);
}

/** Every request of a command as a moment, those with an effect before and after it. */
async function momentsOf(prepare: (tenant: Tenant) => Promise<unknown>, command: string) {
  const tenant = await fresh();
  try {
    await prepare(tenant);
    tenant.requests();
    const { code, err } = await tenant.run(command);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const requests = tenant.requests();
    return requests.flatMap((request, index): Moment[] => [
      { request: index + 1, effect: "before" },
      ...(request.startsWith("GET") ? [] : [{ request: index + 1, effect: "after" } as const]),
    ]);
  } finally {
    await tenant.close();
  }
}

test("loses nothing when an apply is killed at any request", async () => {
  const moments = await momentsOf(() => Promise.resolve(), "apply --auto-approve");
  expect(moments.length).toBeGreaterThan(15);
  await together(moments, async (moment) => {
    const tenant = await fresh();
    const defaults = tenant.console.policies();
    await killAt(tenant, "apply --auto-approve", moment);
    await converges(tenant, defaults);
    await tenant.close();
  });
});

test("destroys everything directly after an apply that was killed at any write", async () => {
  const moments = await momentsOf(() => Promise.resolve(), "apply --auto-approve");
  await together(
    moments.filter(({ effect }) => effect === "after"),
    async (moment) => {
      const tenant = await fresh();
      const defaults = tenant.console.policies();
      await killAt(tenant, "apply --auto-approve", moment);
      await destroys(tenant, defaults);
      expect((await tenant.apply()).errors).toEqual([]);
      expect(tenant.policyNames).toEqual(POLICIES);
      await tenant.close();
    },
  );
});

test("loses nothing when a destroy is killed at any request", async () => {
  const moments = await momentsOf((tenant) => tenant.apply(), "destroy --auto-approve");
  expect(moments.length).toBeGreaterThan(12);
  await together(moments, async (moment) => {
    const tenant = await fresh();
    const defaults = tenant.console.policies();
    expect((await tenant.apply()).errors).toEqual([]);
    await killAt(tenant, "destroy --auto-approve", moment);
    await destroys(tenant, defaults);
    await tenant.close();
  });
});

test("loses nothing when an apply is killed repeatedly at random times", async () => {
  await together(
    Array.from({ length: 3 }, (_, index) => index),
    async () => {
      const tenant = await fresh();
      const defaults = tenant.console.policies();
      for (let kills = 0; kills < 5; kills++) {
        const running = tenant.start("apply --auto-approve");
        setTimeout(() => running.child.kill("SIGKILL"), 120 + Math.random() * 250);
        await running.ended;
      }
      await converges(tenant, defaults);
      await tenant.close();
    },
  );
});
