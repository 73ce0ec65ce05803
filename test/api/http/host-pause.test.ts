import { ConsoleClient } from "../../../src/api/client";
import { parseFault, startSimulator, type Simulator } from "../../../src/simulator";

let simulator: Simulator;
const clients: ConsoleClient[] = [];

const client = (at: number) => {
  const opened = new ConsoleClient({
    baseUrl: simulator.consoles[at]?.url ?? "",
    tls: { ca: simulator.ca },
    random: () => 0,
  });
  clients.push(opened);
  return opened;
};

const elapsed = async (work: Promise<unknown>) => {
  const started = performance.now();
  await work;
  return performance.now() - started;
};

beforeAll(async () => {
  // Consoles 1 and 3 share a host, 2 and 4 another one.
  const faults = [parseFault("tenant-0001/ping:status=429,retry-after=1:1")];
  simulator = await startSimulator({ tenants: 4, hosts: 2, faults });
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  await simulator.close();
});

test("Retry-After slows the consoles of its host, and no other host", async () => {
  const signal = new AbortController().signal;
  const [first, same, other] = [client(0), client(2), client(1)];
  await Promise.all([same.request("ping", { signal }), other.request("ping", { signal })]);
  const asked = elapsed(first.request("ping", { signal }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const [slowed, free] = await Promise.all([
    elapsed(same.request("ping", { signal })),
    elapsed(other.request("ping", { signal })),
  ]);
  expect(await asked).toBeGreaterThan(950);
  expect(slowed).toBeGreaterThan(600);
  expect(free).toBeLessThan(slowed);
});
