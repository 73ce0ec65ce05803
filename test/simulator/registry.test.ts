import { RELEASES, type Release } from "../../src/api/release";
import { Console, ManualClock } from "../../src/simulator";
import { ADMIN, ask, ready } from "./ask";

const PATH = "/api/v1/settings/registry";
const FROM_2009 = RELEASES.filter((release) => release !== "20.04");
const NAMED = { registry: "r.example.com", repository: "team/*", tag: "*" };
const INLINE = { type: "basic", accountID: "bot", secret: { plain: "s3cr3t" } };

async function started(release?: Release) {
  const clock = new ManualClock("2021-01-01T00:00:00Z");
  const console = await ready(new Console({ release, clock }));
  return {
    console,
    get: async () => {
      const { json } = await ask(console, `GET ${PATH}`, { as: ADMIN });
      return (json as { specifications: Record<string, unknown>[] }).specifications;
    },
    put: (body: unknown) => ask(console, `PUT ${PATH}`, { as: ADMIN, body }),
    post: (body: unknown) => ask(console, `POST ${PATH}`, { as: ADMIN, body }),
  };
}

describe.each(RELEASES)("registry settings of release %s", (release) => {
  test("are replaced by PUT, in the envelope or bare, and added to by POST", async () => {
    const { get, put, post } = await started(release);
    expect(await get()).toEqual([]);
    await put({ specifications: [NAMED] });
    await put([{ ...NAMED, tag: "1" }]);
    await post({ ...NAMED, tag: "2" });
    await post({ ...NAMED, tag: "2" });
    expect((await get()).map(({ tag }) => tag)).toEqual(["1", "2", "2"]);
    await put("null");
    await put("{}");
    expect(await get()).toEqual([]);
  });

  test("are returned with every member of section 2.5 and unknown members", async () => {
    const { get, put } = await started(release);
    await put([{ ...NAMED, collections: ["All"], credentialID: "id" }]);
    expect(await get()).toEqual([
      {
        ...NAMED,
        collections: ["All"],
        credentialID: "id",
        cap: 0,
        os: "",
        hostname: "",
        namespace: "",
        useAWSRole: false,
        version: "",
        credential: {
          _id: "",
          type: "",
          accountID: "",
          accountGUID: "",
          secret: { encrypted: "" },
          apiToken: { encrypted: "" },
          lastModified: null,
          owner: "",
          tokens: null,
        },
        roleArn: "",
        scanners: 0,
        versionPattern: "",
      },
    ]);
  });

  test("can be written back as they were found", async () => {
    const { get, put } = await started(release);
    await put([{ ...NAMED, credentialID: "id" }]);
    const found = await get();
    expect((await put({ specifications: found })).status).toBe(200);
    expect(await get()).toEqual(found);
  });

  test.each([
    ["no list", { specification: [NAMED] }, "body.specifications"],
    ["a text for the list", { specifications: "x" }, "body.specifications"],
    ["a text for cap", { specifications: [{ ...NAMED, cap: "5" }] }, "body.specifications[0].cap"],
  ])("with %s are refused", async (_, body, place) => {
    const { get, put } = await started(release);
    const { status, json } = await put(body);
    expect(status).toBe(400);
    expect((json as { err: string }).err).toContain(place);
    expect(await get()).toEqual([]);
  });
});

describe("inline credentials in 20.04", () => {
  test("are returned encrypted, and a rewrite keeps them", async () => {
    const { console, get, put } = await started("20.04");
    await put([{ ...NAMED, credential: INLINE }]);
    const [specification] = await get();
    expect(specification?.credential).toMatchObject({
      type: "basic",
      accountID: "bot",
      secret: { encrypted: expect.stringMatching(/.{20}/) as string },
      owner: ADMIN.username,
      lastModified: "2021-01-01T00:00:00.000Z",
    });
    expect(JSON.stringify([specification, console.data])).not.toContain("s3cr3t");
    await put([specification]);
    expect(await get()).toEqual([specification]);
  });

  test("are encrypted differently if they differ", async () => {
    const { get, put } = await started("20.04");
    const other = { ...INLINE, secret: { plain: "other" } };
    await put([INLINE, other, INLINE].map((credential) => ({ ...NAMED, credential })));
    const [first, second, third] = (await get()).map(({ credential }) => credential);
    expect(second).not.toEqual(first);
    expect(third).toEqual(first);
  });

  test("cannot be combined with an ID", async () => {
    const { put } = await started("20.04");
    const { status } = await put([{ ...NAMED, credential: INLINE, credentialID: "id" }]);
    expect(status).toBe(400);
  });

  test("are hidden after an upgrade", async () => {
    const { console, put } = await started("20.04");
    await put([{ ...NAMED, credential: INLINE }]);
    const upgraded = new Console({ release: "20.09", data: console.data });
    const { text } = await ask(upgraded, `GET ${PATH}`, { as: ADMIN });
    expect(text).toContain(`"secret":{"encrypted":""}`);
    expect(text).not.toContain("bot");
  });
});

describe.each(FROM_2009)("inline credentials in %s", (release) => {
  test("are refused in PUT and POST without a change", async () => {
    const { get, put, post } = await started(release);
    for (const credential of [INLINE, { type: "basic" }, { secret: { encrypted: "x" } }]) {
      const { status, json } = await put([NAMED, { ...NAMED, credential }]);
      expect(status).toBe(400);
      expect((json as { err: string }).err).toContain("specifications[1].credential");
      expect((await post({ ...NAMED, credential })).status).toBe(400);
    }
    expect(await get()).toEqual([]);
  });

  test("are accepted if they are empty", async () => {
    const { put } = await started(release);
    for (const credential of [null, {}, { _id: "", secret: { encrypted: "" }, tokens: [] }]) {
      expect((await put([{ ...NAMED, credential }])).status).toBe(200);
    }
  });
});
