import { request } from "undici";
import { Agent } from "undici";
import {
  parseFault,
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator";

let simulator: Simulator;
let agent: Agent;
const start = async (options: SimulatorOptions) => {
  simulator = await startSimulator(options);
  agent = new Agent({ connect: { ca: simulator.ca } });
};
afterEach(async () => {
  await agent.destroy();
  await simulator.close();
});

const ping = async (at: number) => {
  const url = `${simulator.consoles[at]?.url ?? ""}/api/v1/_ping`;
  const { statusCode, body } = await request(url, { dispatcher: agent });
  await body.dump();
  return statusCode;
};

test("spreads the consoles over several hosts, each with a valid certificate", async () => {
  await start({ tenants: 5, hosts: 2 });
  const hosts = simulator.consoles.map(({ url }) => new URL(url).hostname);
  expect(hosts).toEqual(["127.0.0.1", "127.0.0.2", "127.0.0.1", "127.0.0.2", "127.0.0.1"]);
  expect(await Promise.all([0, 1, 2, 3, 4].map(ping))).toEqual([200, 200, 200, 200, 200]);
});

test("injects a fault into the named consoles only", async () => {
  const faults = ["tenant-0002/*:status=503", "*3/ping:status=429"].map(parseFault);
  await start({ tenants: 4, faults });
  expect(await Promise.all([0, 1, 2, 3].map(ping))).toEqual([200, 503, 429, 200]);
});

test("delays every answer by the latency", async () => {
  await start({ tenants: 2, latency: 150 });
  const started = performance.now();
  expect(await Promise.all([0, 1].map(ping))).toEqual([200, 200]);
  expect(performance.now() - started).toBeGreaterThan(140);
});

test.each<[SimulatorOptions, string]>([
  [{ tenants: 2, hosts: 3 }, "The number of hosts must be 1 to the number of tenants"],
  [{ tenants: 2, hosts: 2, host: "localhost" }, "Several hosts start with 127.0.0.1"],
  [{ tenants: 2, latency: -1 }, "The latency must be 0 milliseconds or more"],
  [
    { tenants: 2, faults: [parseFault("tenant-3/*:delay=1")] },
    'No console has the name "tenant-3" of a fault. The consoles are tenant-0001 to tenant-0002.',
  ],
])("refuses %j", async (options, message) => {
  await start({});
  await expect(startSimulator(options)).rejects.toThrow(message);
});
