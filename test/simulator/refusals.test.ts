import { routesOf, type ResolvedEndpoint } from "../../src/api/endpoints";
import { compareReleases, RELEASES, type Release } from "../../src/api/release";
import { Console } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

function requestOf({ method, path }: ResolvedEndpoint): string {
  return `${method} ${path.replace(/\{\w+\}/g, "x")}`;
}

describe.each(RELEASES)("refusals in release %s", (release: Release) => {
  const endpoints = routesOf(release);
  const authorized = endpoints.filter(({ authorization }) => authorization === "required");

  test("answer 401 without authorization, before 402", async () => {
    const console = new Console({ release });
    for (const endpoint of authorized) {
      expect((await ask(console, requestOf(endpoint))).status).toBe(401);
    }
  });

  test("answer 402 without a license, before 400", async () => {
    const console = new Console({ release });
    await console.addUser(ADMIN.username, ADMIN.password);
    const others: string[] = [];
    for (const endpoint of endpoints) {
      const { status } = await ask(console, requestOf(endpoint), { as: ADMIN, body: "no JSON" });
      if (status !== 402) others.push(endpoint.name);
    }
    expect(others).toEqual([
      "ping",
      "signUp",
      "authenticate",
      "authenticateClient",
      "installLicense",
    ]);
  });
});

test("answer 404 and 405 without authorization", async () => {
  const console = new Console();
  expect(await ask(console, "GET /api/v1/nothing")).toMatchObject({
    status: 404,
    json: { err: expect.any(String) as string },
  });
  expect(await ask(console, "DELETE /api/v1/settings/registry")).toMatchObject({
    status: 405,
    headers: { allow: "GET, PUT, POST" },
  });
  expect((await ask(console, "GET /")).status).toBe(404);
  expect((await ask(console, "GET /api/v1/policies/")).status).toBe(404);
});

test("match paths and methods of the release", async () => {
  const statusIn = async (release: Release, request: string) =>
    (await ask(new Console({ release }), request)).status;
  /** The statuses before a release, and from it on. */
  const around = async (request: string, since: Release) => {
    const [older, newer] = [true, false].map((isOlder) =>
      RELEASES.filter((release) => compareReleases(release, since) < 0 === isOlder),
    );
    const statuses = async (releases: readonly Release[] = []) => [
      ...new Set(await Promise.all(releases.map((release) => statusIn(release, request)))),
    ];
    return [...(await statuses(older)), ...(await statuses(newer))];
  };

  const AUTO_PROTECT = "GET /api/v1/settings/serverless-auto-protect";
  expect(await around(AUTO_PROTECT, "20.09")).toEqual([401, 404]);
  expect(await around("GET /api/v1/settings/serverless-auto-deploy", "20.09")).toEqual([404, 401]);
  expect(await around("GET /api/v1/statuses/serverless-autoprotect", "20.09")).toEqual([401, 404]);
  expect(await around("GET /api/v1/statuses/serverless-auto-protect", "20.04")).toEqual([404]);
  expect(await around("PUT /api/v1/settings/serverless-scan", "next")).toEqual([405, 401]);
  expect(await around("GET /api/v1/scripts/defender.sh", "20.09")).toEqual([401, 405]);
  expect(await around("POST /api/v1/scripts/defenderXsh", "20.04")).toEqual([404]);
  const chart = "POST /api/v1/defenders/helm/svc-defender-helm";
  expect(await around(`${chart}.tar.gz`, "20.09")).toEqual([405, 401]);
  expect(await around(`${chart}XtarXgz`, "20.04")).toEqual([404]);
  expect(await around("GET /api/v1/custom-rules", "next")).toEqual([404, 401]);
});

test("ignores the query in the path", async () => {
  const console = await ready(new Console());
  expect((await ask(console, "GET /api/v1/policies?x=/y", { as: ADMIN })).status).toBe(200);
});

test("logs requests without secrets", async () => {
  const console = await ready(new Console());
  await ask(console, "POST /api/v1/authenticate?password=hidden", { body: ADMIN });
  await ask(console, "GET /nowhere");
  expect(console.requests).toEqual([
    { method: "POST", path: "/api/v1/authenticate", endpoint: "authenticate", status: 200 },
    { method: "GET", path: "/nowhere", endpoint: undefined, status: 404 },
  ]);
});
