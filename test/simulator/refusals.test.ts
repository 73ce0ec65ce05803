import { routesOf, type ResolvedEndpoint } from "../../src/api/endpoints";
import { RELEASES, type Release } from "../../src/api/release";
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
  const inAll = (request: string) =>
    Promise.all(RELEASES.map((release) => statusIn(release, request)));

  expect(await inAll("GET /api/v1/settings/serverless-auto-protect")).toEqual([401, 404, 404, 404]);
  expect(await inAll("GET /api/v1/settings/serverless-auto-deploy")).toEqual([404, 401, 401, 401]);
  expect(await inAll("GET /api/v1/statuses/serverless-autoprotect")).toEqual([401, 404, 404, 404]);
  expect(await inAll("GET /api/v1/statuses/serverless-auto-protect")).toEqual([404, 404, 404, 404]);
  expect(await inAll("PUT /api/v1/settings/serverless-scan")).toEqual([405, 405, 405, 401]);
  expect(await inAll("GET /api/v1/scripts/defender.sh")).toEqual([401, 405, 405, 405]);
  expect(await inAll("POST /api/v1/scripts/defenderXsh")).toEqual([404, 404, 404, 404]);
  expect(await inAll("POST /api/v1/defenders/helm/svc-defender-helm.tar.gz")).toEqual([
    405, 401, 401, 401,
  ]);
  expect(await inAll("POST /api/v1/defenders/helm/svc-defender-helmXtarXgz")).toEqual([
    404, 404, 404, 404,
  ]);
  expect(await inAll("GET /api/v1/custom-rules")).toEqual([404, 404, 404, 401]);
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
