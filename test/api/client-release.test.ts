import { routesOf, variesByRelease } from "../../src/api/endpoints";
import { ReleaseUndecidedError, UnauthorizedError } from "../../src/api/errors";
import type { ReleaseFinding } from "../../src/api/release-probe";
import { type Release, RELEASES } from "../../src/api/release";
import { type Answer, scripted } from "./support/scripted-console";

/** A console that has the endpoints of its release and answers 404 to all others. */
function running(
  release: Release,
  before: (number: number) => Answer | undefined = () => undefined,
) {
  const findings: ReleaseFinding[] = [];
  const paths = routesOf(release).map(({ method, path }) => `${method} ${path}`);
  const script = scripted(
    ({ method, path }, number) => {
      const has = paths.includes(`${method} ${path.split("?")[0] ?? ""}`);
      return before(number) ?? (has ? { body: "null" } : { status: 404 });
    },
    { release: "auto", onRelease: (finding) => findings.push(finding), maxRetries: 0 },
  );
  return { ...script, findings };
}

test.each<[Release, Release]>([
  ["20.04", "20.04"],
  ["20.09", "20.12"],
  ["20.12", "20.12"],
  ["next", "next"],
])("detects a console of %s as %s by GETs", async (release, found) => {
  const { client, calls, findings } = running(release);
  expect(client.release).toBeUndefined();
  expect(await client.detectRelease()).toBe(found);
  expect(client.release).toBe(found);
  expect(calls().every((call) => call.startsWith("GET "))).toBe(true);
  expect(findings).toEqual([{ release: found, why: expect.stringContaining(found) as string }]);
});

test("calls no endpoint with an effect", async () => {
  for (const release of RELEASES) {
    const { client, calls } = running(release);
    await client.detectRelease();
    for (const call of calls()) {
      expect(call).toMatch(/^GET /);
      expect(call).not.toMatch(/containers\/scan|defender/);
    }
  }
});

test("detects the release once, for all callers", async () => {
  const { client, calls, findings } = running("20.04");
  await Promise.all([
    client.read("serverlessAutoDeploy"),
    client.detectRelease(),
    client.read("serverlessAutoDeploy"),
  ]);
  await client.autoDeploy.serverless();
  expect(findings).toHaveLength(1);
  expect(calls().slice(-3)).toEqual([
    "GET /api/v1/settings/serverless-auto-protect",
    "GET /api/v1/settings/serverless-auto-protect",
    "GET /api/v1/statuses/serverless-autoprotect",
  ]);
});

test("does not detect the release for calls that are the same in all", async () => {
  const { client, calls } = running("next");
  await client.installLicense("k");
  await client.read("policies");
  expect(calls()).toHaveLength(2);
  expect(variesByRelease("getPolicies")).toBe(false);
  expect(variesByRelease("getServerlessFunctions")).toBe(true);
});

test.each([401, 402, 503])(
  "leaves the release undecided after %d and detects it again",
  async (status) => {
    const { client, findings } = running("next", (number) =>
      number === 1 ? { status } : undefined,
    );
    expect(await client.detectRelease()).toBeUndefined();
    expect(findings).toMatchObject([{ release: undefined, error: { status } }]);
    expect(findings[0]?.why).toContain("the next call tries again");
    expect(await client.detectRelease()).toBe("next");
  },
);

test("fails calls that differ with the error of the detection", async () => {
  const { client, calls } = running("next", () => ({ status: 401 }));
  await expect(client.getCustomRules()).rejects.toThrow(UnauthorizedError);
  expect(calls()).toHaveLength(1);
});

test.each([{ status: 404 }, { body: "<html>Sign in</html>" }])(
  "whoever answers %j to everything is no console",
  async (answer) => {
    const { client } = running("20.12", () => answer);
    expect(await client.detectRelease()).toBeUndefined();
    await expect(client.getCustomRules()).rejects.toThrow(ReleaseUndecidedError);
  },
);

test("sends the query in the term of the detected release", async () => {
  const { client, calls } = running("next");
  await client.serverless.names({ defended: true });
  expect(calls().at(-1)).toBe("GET /api/v1/serverless/names?offset=0&limit=50&defended=true");
});

test("does not detect a configured release", async () => {
  const { client, calls } = scripted(() => ({}), { release: "20.09" });
  expect(await client.detectRelease()).toBe("20.09");
  expect(await client.resolveRelease()).toBe("20.09");
  expect(calls()).toEqual([]);
});
