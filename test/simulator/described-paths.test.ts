import { Console, ManualClock } from "../../src/simulator";
import { catalogue } from "../../src/api/catalogue/catalogue";
import { ADMIN as as, ask, ready } from "./ask";

const open = (more: ConstructorParameters<typeof Console>[0] = {}) =>
  ready(new Console({ clock: new ManualClock(), ...more }));

describe("a path of the catalogue", () => {
  test.each([...catalogue()])("%s is read, and written as a whole or by item", async (_, kind) => {
    const console = await open({ release: kind.since ?? "20.12" });
    const path = `/api/v1/${kind.path}`;
    expect((await ask(console, `GET ${path}`, { as })).status).toBe(200);
    expect((await ask(console, `GET ${path}`)).status).toBe(401);
    if (kind.form === "list") {
      const body = kind.member === undefined ? [{ a: 1 }] : { [kind.member]: [{ a: 1 }], b: 2 };
      expect(await ask(console, `PUT ${path}`, { as, body })).toMatchObject({
        status: 200,
        text: "",
      });
      expect((await ask(console, `GET ${path}`, { as })).json).toMatchObject(body);
    }
  });

  test("moves with the release", async () => {
    const console = await open({ release: "next" });
    expect(
      (await ask(console, "PUT /api/v1/custom-rules/7", { as, body: { _id: 7 } })).status,
    ).toBe(200);
    expect(console.document("policies/runtime/custom-rules")).toContainEqual(
      expect.objectContaining({ _id: 7 }),
    );
  });

  test("shows no secret, and keeps one that a write leaves out", async () => {
    const console = await open();
    const admin: unknown = expect.objectContaining({ username: "admin", role: "admin" });
    const user = { username: "audit", role: "auditor", password: "canary" };
    await ask(console, "POST /api/v1/users", { as, body: user });
    const { username, role } = user;
    await ask(console, "PUT /api/v1/users", { as, body: { username, role: "admin" } });
    expect((await ask(console, "GET /api/v1/users", { as })).json).toEqual([
      admin,
      { username, role: "admin" },
    ]);
    expect(console.document("users")).toEqual([
      admin,
      { username, role: "admin", password: { sealed: expect.any(String) as string } },
    ]);
    expect(JSON.stringify(console.data)).not.toContain("canary");
    expect((await ask(console, "DELETE /api/v1/users/audit", { as })).status).toBe(200);
    expect((await ask(console, "DELETE /api/v1/users/audit", { as })).status).toBe(404);
    expect(role).toBe("auditor");
  });
});

test("any other path is 404, or with `any` stored and named once", async () => {
  const path = "/api/v1/settings/x";
  expect((await ask(await open(), `PUT ${path}`, { as, body: {} })).status).toBe(404);
  const seen: string[] = [];
  const console = await open({ any: (at) => seen.push(at) });
  expect((await ask(console, `GET ${path}`, { as })).json).toBeNull();
  await ask(console, `PUT ${path}`, { as, body: { a: 1 } });
  expect((await ask(console, `GET ${path}`, { as })).json).toEqual({ a: 1 });
  expect(seen).toEqual([path]);
  expect((await ask(console, "GET /api/v1/policies", { as })).status).toBe(200);
  expect((await ask(console, "PUT /other", { as, body: {} })).status).toBe(404);
  expect(console.data.documents).toEqual({ "settings/x": { a: 1 } });
});

test("gives each object an ID that no other one has", async () => {
  const console = await open();
  const ids = () => console.document("custom-compliance") as readonly { readonly _id: number }[];
  for (const name of ["a", "b", "c"]) {
    await ask(console, "PUT /api/v1/custom-compliance", { as, body: { name } });
    const [first] = ids();
    if (name === "b") {
      await ask(console, `DELETE /api/v1/custom-compliance/${first?._id ?? ""}`, { as });
    }
  }
  expect(ids()).toMatchObject([{ name: "b" }, { name: "c" }]);
  expect(new Set(ids().map(({ _id }) => _id)).size).toBe(2);
});

test("keeps objects apart that have neither `_id` nor `name`", async () => {
  const console = await open({ any: () => undefined });
  await console.store("settings/x", []);
  for (const label of ["a", "b"]) {
    await ask(console, "POST /api/v1/settings/x", { as, body: { label, n: 1 } });
  }
  await ask(console, "PUT /api/v1/settings/x/b", { as, body: { label: "b", n: 2 } });
  expect(console.document("settings/x")).toEqual([
    { label: "a", n: 1 },
    { label: "b", n: 2 },
  ]);
  expect((await ask(console, "DELETE /api/v1/settings/x/a", { as })).status).toBe(200);
  expect(console.document("settings/x")).toEqual([{ label: "b", n: 2 }]);
});
