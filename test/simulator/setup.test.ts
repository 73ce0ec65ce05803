import { RELEASES } from "../../src/api/release";
import { Console, ManualClock } from "../../src/simulator";
import { ADMIN, ask, basic } from "./ask";

const SIGN_UP = "POST /api/v1/signup";
const AUTHENTICATE = "POST /api/v1/authenticate";
const AUTHENTICATE_CLIENT = "POST /api/v1/authenticate-client";
const LICENSE = "POST /api/v1/settings/license";
const POLICIES = "GET /api/v1/policies/compliance/container";

async function tokenOf(console: Console, user = ADMIN): Promise<string> {
  const { json } = await ask(console, AUTHENTICATE, { body: user });
  return `Bearer ${(json as { token: string }).token}`;
}

/** Decodes a JWT without verification. */
function claimsOf(token: string): { sub?: string; iat?: number; exp?: number } {
  const [, claims = ""] = token.replace(/^Bearer /, "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as object;
}

describe.each(RELEASES)("setup in release %s", (release) => {
  test("leads from a fresh install to a working console", async () => {
    const console = new Console({ release });
    expect((await ask(console, "GET /api/v1/_ping")).status).toBe(200);
    expect((await ask(console, AUTHENTICATE, { body: ADMIN })).status).toBe(401);
    expect(await ask(console, SIGN_UP, { body: ADMIN })).toMatchObject({ status: 200, json: {} });

    const as = await tokenOf(console);
    expect((await ask(console, POLICIES, { as })).status).toBe(402);
    expect(await ask(console, LICENSE, { as, body: { key: "k" } })).toMatchObject({
      status: 200,
      text: "{}",
    });
    expect((await ask(console, POLICIES, { as })).status).toBe(200);
  });

  test("allows one sign-up", async () => {
    const console = new Console({ release });
    await ask(console, SIGN_UP, { body: ADMIN });
    const again = await ask(console, SIGN_UP, { body: { username: "eve", password: "x" } });
    expect(again).toMatchObject({ status: 400, json: { err: expect.any(String) as string } });
    expect([...console.data.users.keys()]).toEqual([ADMIN.username]);
  });
});

test("accepts one of two concurrent sign-ups", async () => {
  const console = new Console();
  const answers = await Promise.all(
    ["a", "b"].map((username) => ask(console, SIGN_UP, { body: { username, password: "p" } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(console.data.users.size).toBe(1);
});

test.each([
  ["no body", undefined],
  ["no JSON", "{username: admin}"],
  ["an array", []],
  ["null", "null"],
  ["no password", { username: "admin" }],
  ["an empty username", { username: "", password: "p" }],
  ["a number for a password", { username: "admin", password: 1 }],
])("refuses a sign-up with %s", async (_, body) => {
  const console = new Console();
  const answer = await ask(console, SIGN_UP, { body });
  expect(answer).toMatchObject({ status: 400, json: { err: expect.any(String) as string } });
  expect((await ask(console, SIGN_UP, { body: ADMIN })).status).toBe(200);
});

describe("tokens", () => {
  const clock = new ManualClock("2021-03-04T05:06:07Z");
  const console = new Console({ clock });
  beforeAll(async () => {
    await console.addUser(ADMIN.username, ADMIN.password);
    await console.installLicense();
  });

  test("are JWTs for the user, valid for 24 hours", async () => {
    const as = await tokenOf(console);
    const { sub, iat, exp } = claimsOf(as);
    expect(sub).toBe(ADMIN.username);
    expect(iat).toBe(Date.parse("2021-03-04T05:06:07Z") / 1000);
    expect((exp ?? 0) - (iat ?? 0)).toBe(24 * 60 * 60);

    clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await ask(console, POLICIES, { as })).status).toBe(200);
    clock.advance({ seconds: 1 });
    expect((await ask(console, POLICIES, { as })).status).toBe(401);
  });

  test("are refused after they have expired unused", async () => {
    const as = await tokenOf(console);
    clock.advance({ hours: 25 });
    expect((await ask(console, POLICIES, { as })).status).toBe(401);
  });

  test("are refused if altered, unsigned or of another console", async () => {
    const other = new Console({ clock });
    await other.addUser(ADMIN.username, ADMIN.password);
    const own = await tokenOf(console);
    const [head = "", claims = ""] = own.slice("Bearer ".length).split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const as of [
      await tokenOf(other),
      `Bearer ${head}.${claims}.AAAA`,
      `Bearer ${none}.${claims}.`,
      "Bearer x",
      "Bearer",
      "",
    ]) {
      expect((await ask(console, POLICIES, { as })).status).toBe(401);
    }
  });

  test("end when they are revoked and on reset", async () => {
    const first = await tokenOf(console);
    await console.revokeTokens();
    expect((await ask(console, POLICIES, { as: first })).status).toBe(401);
    const second = await tokenOf(console);
    await console.reset();
    await console.addUser(ADMIN.username, ADMIN.password);
    expect((await ask(console, POLICIES, { as: second })).status).toBe(401);
  });

  test("are the same in every run with a seed and a fixed clock", async () => {
    const run = async () => {
      const seeded = new Console({ seed: "s", clock: new ManualClock() });
      await seeded.addUser(ADMIN.username, ADMIN.password);
      return tokenOf(seeded);
    };
    expect(await run()).toBe(await run());
  });
});

test("refuses a wrong password, an unknown user and an incomplete body", async () => {
  const console = new Console();
  await console.addUser(ADMIN.username, ADMIN.password);
  const statusFor = async (body: unknown) => (await ask(console, AUTHENTICATE, { body })).status;
  expect(await statusFor({ ...ADMIN, password: "wrong" })).toBe(401);
  expect(await statusFor({ ...ADMIN, username: "nobody" })).toBe(401);
  expect(await statusFor({ username: ADMIN.username })).toBe(400);
});

describe("basic authorization", () => {
  const console = new Console();
  const directory = { username: "CORP\\jörg", password: "geheim" };
  beforeAll(async () => {
    await console.addUser(ADMIN.username, ADMIN.password);
    await console.addUser(directory.username, directory.password);
    await console.installLicense();
  });

  test("accepts UTF-8 and a password with colons", async () => {
    expect((await ask(console, POLICIES, { as: ADMIN })).status).toBe(200);
    expect(
      (await ask(console, POLICIES, { as: basic(ADMIN).replace("Basic", "basic") })).status,
    ).toBe(200);
  });

  test("accepts DOMAIN\\name, as authenticate does with a doubled backslash", async () => {
    expect((await ask(console, POLICIES, { as: directory })).status).toBe(200);
    const body = String.raw`{"username": "CORP\\jörg", "password": "geheim"}`;
    expect((await ask(console, AUTHENTICATE, { body })).status).toBe(200);
  });

  test("refuses a wrong password, an unknown user and invalid base64", async () => {
    const wrong = { ...ADMIN, password: "wrong" };
    const unknown = { ...ADMIN, username: "nobody" };
    for (const as of [wrong, unknown, "Basic !!!", "Basic", "Digest x"]) {
      expect((await ask(console, POLICIES, { as })).status).toBe(401);
    }
  });
});

describe("client certificates", () => {
  const console = new Console();
  beforeAll(() => console.addUser(ADMIN.username, ADMIN.password));
  const authenticate = (subjectCN: string | undefined, authorized: boolean) =>
    ask(console, AUTHENTICATE_CLIENT, { certificate: { subjectCN, authorized } });

  test("of a user are exchanged for a token", async () => {
    const { status, json } = await authenticate(ADMIN.username, true);
    expect(status).toBe(200);
    expect(claimsOf((json as { token: string }).token).sub).toBe(ADMIN.username);
  });

  test("are refused if missing, untrusted or of an unknown user", async () => {
    expect((await ask(console, AUTHENTICATE_CLIENT)).status).toBe(401);
    expect((await authenticate(ADMIN.username, false)).status).toBe(401);
    expect((await authenticate("nobody", true)).status).toBe(401);
    expect((await authenticate(undefined, true)).status).toBe(401);
  });
});

describe("the license", () => {
  test("is replaced by another key and stored as a fingerprint", async () => {
    const console = new Console();
    await console.addUser(ADMIN.username, ADMIN.password);
    await ask(console, LICENSE, { as: ADMIN, body: { key: "first-key" } });
    const first = console.data.license;
    await ask(console, LICENSE, { as: ADMIN, body: { key: "second-key" } });
    expect(console.data.license).not.toEqual(first);
    expect(JSON.stringify(console.data.license)).not.toContain("second-key");
  });

  test.each([[{}], [{ key: "" }], [{ key: null }], [[]], ["key"]])(
    "is not taken from the body %j",
    async (body) => {
      const console = new Console();
      await console.addUser(ADMIN.username, ADMIN.password);
      expect((await ask(console, LICENSE, { as: ADMIN, body })).status).toBe(400);
      expect(console.data.license).toBeNull();
    },
  );
});
