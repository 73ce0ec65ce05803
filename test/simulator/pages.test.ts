import { ready, ADMIN } from "../provider/support/consoles";
import type { Pages } from "../../src/simulator/pages";

async function asking(pages: Pages) {
  const { console } = await ready({ any: () => undefined, pages });
  await console.store("collections", [{ name: "a" }, { name: "b" }, { name: "c" }]);
  await console.store("policies/admission", { _id: "x", rules: [{ name: "a" }, { name: "b" }] });
  await console.store("settings/defender", { listeningPort: 1 });
  const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString("base64")}`;
  return async (path: string) => {
    const request = { method: "GET", path: `/api/v1/${path}`, headers: { authorization } };
    const { body, headers } = await console.handle(request);
    return { body: JSON.parse(String(body)) as unknown, total: headers["total-count"] };
  };
}

test("answers any list in pages, with the number of its rows", async () => {
  const ask = await asking({ size: 2 });
  expect(await ask("collections")).toEqual({ body: [{ name: "a" }, { name: "b" }], total: "3" });
  expect((await ask("collections?offset=2")).body).toEqual([{ name: "c" }]);
  expect((await ask("collections?offset=1&limit=1")).body).toEqual([{ name: "b" }]);
  expect(await ask("policies/admission?offset=1")).toEqual({
    body: { _id: "x", rules: [{ name: "b" }] },
    total: "2",
  });
  expect((await ask("policies/compliance/container")).body).toHaveLength(2);
  expect((await ask("containers?limit=50")).body).toHaveLength(2);
  expect((await ask("settings/defender")).body).toEqual({ listeningPort: 1 });
});

test("without Total-Count, answers whole what the client takes for whole", async () => {
  const ask = await asking({ size: 1, hasTotal: false });
  expect(await ask("collections")).toEqual({ body: [{ name: "a" }], total: undefined });
  expect(await ask("containers")).toMatchObject({ body: { length: 1 }, total: undefined });
  expect((await ask("policies/admission")).body).toMatchObject({ rules: { length: 2 } });
  expect((await ask("policies/compliance/container")).body).toHaveLength(2);
});
