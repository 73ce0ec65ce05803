import type { ConsoleRequest, ConsoleResponse } from "../../src/simulator";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// Dozens of processes a test, and other suites beside them.
jest.setTimeout(120_000);

const quickstart = synthesizeQuickstart();
const POLICIES = ["No root in production", "Trusted images", "Hardened hosts", "Everything else"];

const NO_STATE = JSON.stringify({ resources: [] });

/** What a run that ended well has cleared away. */
const LEFTOVERS = /\.lock$|\.journal$|^\./;

/** When the process dies: while the console has a request, before or after its effect. */
interface Moment {
  readonly request: number;
  readonly effect: "before" | "after";
}

/** Runs a command and kills it at that moment. */
async function killAt(tenant: Tenant, command: string, moment: Moment): Promise<void> {
  const { console } = tenant;
  const handle = console.handle.bind(console);
  const running = tenant.start(command);
  let count = 0;
  console.handle = async (request: ConsoleRequest): Promise<ConsoleResponse> => {
    // What a dead process had sent besides may have its effect, or not.
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

/** Does `work` with all items, a few at a time. */
async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker(), worker()]);
}

const fresh = () => Tenant.open(quickstart);

/** What a fresh console has, but that whoever puts a policy back owns it. */
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

/** The next run converges, leaves nothing behind, and destroy still gives back what was there. */
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

/** Every request of a command; what may have an effect before it and after it. */
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

test("an apply that is killed at any of its requests loses nothing", async () => {
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

test("and can be destroyed at once, after each of its writes", async () => {
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

test("a destroy that is killed at any of its requests loses nothing", async () => {
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

test("nor does an apply that is killed again and again, at any time", async () => {
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
