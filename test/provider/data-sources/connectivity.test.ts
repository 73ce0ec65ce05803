import { RELEASES } from "../../../src/api/release";
import { TlsError } from "../../../src/api/errors";
import { connectTo, fresh, ready } from "../support/consoles";
import { read, stateOf } from "./read";

const TYPE = "cwp_connectivity";

test.each(RELEASES)(
  "release %s: reports a working console by the two connection tests",
  async (release) => {
    const { console, connection } = await ready({ release });
    expect(await stateOf(connection, TYPE)).toEqual({
      reachable: true,
      authenticated: true,
      licensed: true,
      release,
      message: null,
    });
    const asked = console.requests.filter(({ method }) => method === "GET");
    expect(asked.map(({ path }) => path).sort()).toEqual([
      "/api/v1/policies",
      "/api/v1/policies/runtime/container",
    ]);
  },
);

test("reports a console without a license as reachable and authenticated", async () => {
  const { console, connection } = fresh();
  await console.addUser("admin", "canary-password");
  expect(await stateOf(connection, TYPE)).toMatchObject({
    reachable: true,
    authenticated: true,
    licensed: false,
    message: expect.stringContaining("402") as string,
  });
});

test("reports a console without users as reachable", async () => {
  const state = await stateOf(fresh().connection, TYPE);
  expect(state).toMatchObject({
    reachable: true,
    authenticated: false,
    licensed: false,
    message: expect.stringContaining("401") as string,
  });
  expect(JSON.stringify(state)).not.toContain("canary");
});

test.each([
  ["*:status=503", false],
  ["*:reset-before", false],
  ["*:status=404", true],
  ["*:status=429", true],
  ["*:html", true],
])("%s: reports the failure in attributes", async (fault, reachable) => {
  const simulated = await ready();
  simulated.fault(fault);
  expect(await stateOf(simulated.connection, TYPE)).toMatchObject({
    reachable,
    authenticated: false,
    licensed: false,
    message: expect.stringMatching(/./) as string,
  });
});

test("reports a failure if one of the two tests fails", async () => {
  const simulated = await ready();
  simulated.fault("getPolicies:status=403");
  expect(await stateOf(simulated.connection, TYPE)).toMatchObject({
    reachable: true,
    authenticated: true,
    licensed: false,
    message: expect.stringContaining("403") as string,
  });
});

test("reports an untrusted certificate", async () => {
  const untrusted = new TlsError("unknown-authority", "its certificate is not trusted");
  const connection = connectTo(() => Promise.reject(untrusted), "20.12");
  expect(await stateOf(connection, TYPE)).toEqual({
    reachable: false,
    authenticated: false,
    licensed: false,
    release: "20.12",
    message: "its certificate is not trusted",
  });
});

test("throws errors of the program", async () => {
  const connection = connectTo(() => Promise.reject(new TypeError("oops")), "20.12");
  const { state, diagnostics } = await read(connection, TYPE);
  expect(state).toBeNull();
  expect(diagnostics.map(({ summary }) => summary)).toEqual(["Internal provider error"]);
});
