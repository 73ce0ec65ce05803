import { absentCalls } from "../../../scripts/generate/coverage/absence";
import {
  ENDPOINT_NAMES,
  endpointFor,
  EndpointNotInReleaseError,
  type EndpointName,
  type Release,
  RELEASES,
} from "../../../src/api";
import { consoleFor } from "./console-for";
import { PROOF_FILES, PROOFS } from "./proofs";

/**
 * Proves every line of docs/maintainers/api-coverage.md: calls each endpoint by the client's method on a
 * console of each release.
 */

const present: [EndpointName, Release][] = [];
const absent: [EndpointName, Release][] = [];
for (const name of ENDPOINT_NAMES) {
  for (const release of RELEASES) {
    (endpointFor(name, release) ? present : absent).push([name, release]);
  }
}

test("every endpoint has one proof", () => {
  const proved = Object.values(PROOF_FILES).flatMap((proofs) => Object.keys(proofs));
  expect(proved).toEqual([...ENDPOINT_NAMES]);
});

test.each(present)("%s in release %s", async (name, release) => {
  expect.hasAssertions();
  const { console, client, called } = await consoleFor(release, name);
  const { method, prove } = PROOFS[name];
  await prove(client, release);
  expect(called).toContain(method);
  const endpoint = endpointFor(name, release);
  const answered = console.requests.find((request) => request.endpoint === name);
  expect(answered).toMatchObject({ method: endpoint?.method, status: 200 });
});

test.each(absent)(
  "the client refuses %s in release %s, and sends nothing",
  async (name, release) => {
    const { console, client, called } = await consoleFor(release, name);
    const { method, prove } = PROOFS[name];
    await expect(prove(client, release)).rejects.toThrow(EndpointNotInReleaseError);
    expect(called).toContain(method);
    expect(console.requests).toEqual([]);
  },
);

const calls = ENDPOINT_NAMES.flatMap((name) =>
  RELEASES.flatMap((release) =>
    absentCalls(name, release).map(
      ({ method, path, absence }) => [release, method, path, absence] as const,
    ),
  ),
);

test.each(calls)("release %s has no %s %s: %j", async (release, method, path, absence) => {
  const { console } = await consoleFor(release, "getPolicies");
  const { status } = await console.handle({
    method,
    path: path.replace(/\{\w+\}/, "svc"),
    headers: {},
  });
  // Another endpoint that has the call requires authorization.
  expect(status).toBe("status" in absence ? absence.status : 401);
  const [request] = console.requests;
  expect(request?.endpoint).toBe("taken" in absence ? absence.taken : undefined);
});
