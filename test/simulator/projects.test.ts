import { ConsoleClient } from "../../src/api/client";
import type { CompliancePolicy } from "../../src/api/bodies";
import { startSimulator, type Simulator } from "../../src/simulator";

const ADMIN = { username: "admin", password: "long-secret" };
const POLICY: CompliancePolicy = { name: "managed" };

let simulator: Simulator;
const clients: ConsoleClient[] = [];

/** A client of a project, as the provider of a stack has one. */
function clientOf(project: string | undefined): ConsoleClient {
  const [{ url }] = simulator.consoles;
  const client = new ConsoleClient({
    baseUrl: url,
    project,
    credentials: { method: "token-login", ...ADMIN },
    tls: { ca: simulator.ca },
  });
  clients.push(client);
  return client;
}

const names = (policies: readonly { readonly name?: unknown }[]) =>
  policies.map(({ name }) => name);
const requestsTo = (path: string) =>
  simulator.consoles[0].console.requests.filter((one) => one.path.endsWith(path));

beforeAll(async () => {
  simulator = await startSimulator({ projects: 200, signedUp: ADMIN, licensed: true });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await simulator.close();
});

test("projects of a console have separate policies, and Central Console is the one without a name", async () => {
  const replaced = { items: [POLICY], envelope: null };
  await clientOf("project-0001").replace("policies", replaced);
  expect(names((await clientOf("project-0001").read("policies")).items)).toEqual(["managed"]);
  const others = [undefined, "Central Console", "project-0002"];
  const read = others.map((one) => clientOf(one).read("policies"));
  for (const { items } of await Promise.all(read)) expect(names(items)).not.toContain("managed");
});

test("a project that the console does not have is not found", async () => {
  await expect(clientOf("other").read("policies")).rejects.toThrow(/no such project/);
});

test("setup, authentication and the license are those of the console", async () => {
  const client = clientOf("project-0001");
  await client.ping();
  await client.installLicense("key");
  await client.authenticate();
  await expect(client.signUp({ username: "other", password: "x" })).rejects.toThrow(/400/);
});

test("200 projects of a console share one token", async () => {
  const before = requestsTo("/authenticate").length;
  const projects = simulator.projects.map(({ name }) => clientOf(name));
  await Promise.all(
    projects.map((client) => client.replace("policies", { items: [POLICY], envelope: null })),
  );
  expect(simulator.projects.every((one) => names(one.policies()).join() === "managed")).toBe(true);
  expect(requestsTo("/authenticate").length - before).toBeLessThanOrEqual(1);
});
