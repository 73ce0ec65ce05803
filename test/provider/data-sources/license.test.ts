import { RELEASES } from "../../../src/api/release";
import { ready } from "../support/consoles";
import { answering, read, stateOf } from "./read";

const TYPE = "cwp_license";
const PATH = "/api/v1/settings/license";
const NOTHING = { type: null, expires_at: null, workloads: null };

test("reads a license without its access token", async () => {
  const license = {
    ...{ customer_id: "c1", access_token: "canary-token", type: "evaluation" },
    ...{ expiration_date: "2030-01-01T00:00:00Z", workloads: 1000 },
  };
  expect(await stateOf(answering({ [PATH]: JSON.stringify(license) }), TYPE)).toEqual({
    type: "evaluation",
    expires_at: "2030-01-01T00:00:00.000Z",
    workloads: 1000,
  });
});

test.each(["{}", '{"type":"","expiration_date":null,"workloads":"many"}'])(
  "%s: members that a console does not send are null",
  async (answer) => {
    expect(await stateOf(answering({ [PATH]: answer }), TYPE)).toEqual(NOTHING);
  },
);

test.each(RELEASES)("release %s: a console without the read is no error", async (release) => {
  const { connection } = await ready({ release });
  expect(await stateOf(connection, TYPE)).toEqual(NOTHING);
});

test.each(["null", "[]"])("%s: a console without a license is no error", async (answer) => {
  expect(await stateOf(answering({ [PATH]: answer }), TYPE)).toEqual(NOTHING);
});

test.each(['["canary-token"]', '"canary-token"'])("%s: refuses another answer", async (answer) => {
  const { state, diagnostics } = await read(answering({ [PATH]: answer }), TYPE);
  expect(state).toBeNull();
  expect(JSON.stringify(diagnostics)).toContain("settings/license");
  expect(JSON.stringify(diagnostics)).not.toContain("canary-token");
});
