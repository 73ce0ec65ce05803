import { RELEASES } from "../../src/api/release";
import { ApiError, ConsoleClient, LicenseRequiredError } from "../../src/api";
import {
  CertificateAuthority,
  Console,
  ManualClock,
  parseFault,
  startSimulator,
  transportTo,
} from "../../src/simulator";
import { ADMIN, ready } from "./ask";

test.each(RELEASES)(
  "the client sets up and configures a console of release %s",
  async (release) => {
    const simulator = await startSimulator({ release });
    const [{ url, console }] = simulator.consoles;
    const client = new ConsoleClient({
      baseUrl: url,
      release,
      credentials: { method: "token-login", ...ADMIN },
      tls: { ca: simulator.ca },
    });
    try {
      await client.ping();
      await client.signUp(ADMIN);
      await expect(client.signUp(ADMIN)).rejects.toBeInstanceOf(ApiError);
      await client.authenticate();
      await expect(client.read("policies")).rejects.toBeInstanceOf(LicenseRequiredError);
      await client.installLicense("key");

      const { envelope, items } = await client.read("policies");
      await client.replace("policies", { envelope, items: [{ name: "first" }, ...items] });
      expect(console.policies().map(({ name }) => name)).toEqual([
        "first",
        ...items.map(({ name }) => name),
      ]);

      const registry = await client.read("registry");
      await client.replace("registry", {
        ...registry,
        items: [{ registry: "r", credentialID: "c" }],
      });
      expect((await client.read("registry")).items).toMatchObject([
        { registry: "r", credentialID: "c" },
      ]);

      await client.replace("serverlessScan", { envelope: null, items: [{ provider: "aws" }] });
      expect((await client.read("serverlessScan")).items).toEqual([{ provider: "aws" }]);
      await client.replace("serverlessAutoDeploy", { envelope: null, items: [{ name: "one" }] });
      expect((await client.read("serverlessAutoDeploy")).items).toEqual([{ name: "one" }]);
      await client.getRuntimePolicies();
      await client.getPolicies();
      expect(console.requests.filter(({ endpoint }) => endpoint === undefined)).toEqual([]);
    } finally {
      await client.close();
      await simulator.close();
    }
  },
);

test("authenticates by client certificate on a tenant's address", async () => {
  const users = await CertificateAuthority.create("Users");
  const simulator = await startSimulator({
    tenants: 2,
    signedUp: ADMIN,
    licensed: true,
    clientCa: users.certificate,
  });
  const { certificate: cert, key } = await users.issueClientCertificate(ADMIN.username);
  const client = new ConsoleClient({
    baseUrl: simulator.consoles[0].url,
    credentials: { method: "client-certificate", cert, key },
    tls: { ca: simulator.ca },
  });
  try {
    expect((await client.read("policies")).items).toHaveLength(2);
  } finally {
    await client.close();
    await simulator.close();
  }
});

describe("in process, without a port", () => {
  test("renews a token that expires", async () => {
    const clock = new ManualClock();
    const console = await ready(new Console({ clock }));
    const client = new ConsoleClient({
      baseUrl: "https://console.test",
      credentials: { method: "token-login", ...ADMIN },
      transport: transportTo(console),
      now: () => clock.now().getTime(),
    });
    await client.getPolicies();
    clock.advance({ hours: 30 });
    await client.getPolicies();
    await console.revokeTokens();
    await client.getPolicies();
    const issued = console.requests.filter(({ endpoint }) => endpoint === "authenticate");
    expect(issued).toHaveLength(3);
  });

  test("retries after faults where a replay is safe", async () => {
    const faults = ["reset-before:1", "truncate:1", "status=503:1"].map((fault) =>
      parseFault(`getCompliancePolicies:${fault}`),
    );
    const console = await ready(new Console({ faults }));
    const client = new ConsoleClient({
      baseUrl: "https://console.test",
      credentials: { method: "basic", ...ADMIN },
      transport: transportTo(console),
      sleep: () => Promise.resolve(),
    });
    expect((await client.read("policies")).items).toHaveLength(2);
    expect(console.requests).toHaveLength(4);
  });
});
