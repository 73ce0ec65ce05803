import { parseJson } from "../../../src/core/json/lossless-json";
import { strippedOf } from "../../../src/provider/generic/secret-members";
import { storing } from "../support/consoles";
import { Engine } from "../support/engine";

const PATH = "policies/firewall/app/container";
const certificate = { encrypted: "sealed" };
const app = (appID: string, effect: string) => ({ appID, effect, certificate });
const place = { path: PATH, unlisted: true, member: "rules" };

function waas(...applicationsSpec: object[]) {
  const text = JSON.stringify({ rules: [{ name: "web", applicationsSpec }] });
  const { connection, body } = storing(`/api/v1/${PATH}`, text);
  const importId = JSON.stringify({ path: PATH, member: "rules", key: ["name"] });
  const engine = new Engine(connection, "cwp_list");
  const entries = (...specs: object[]) => ({
    ...place,
    key: ["name"],
    entries: [{ name: "web", applicationsSpec: specs }],
  });
  return { engine, importId, entries, body: () => parseJson(body()) };
}

test("leaves out the secret members of the objects of a list, and nothing else", () => {
  const item = { name: "web", applicationsSpec: [app("1", "ban")], tokens: ["a"], urls: ["x"] };
  expect(strippedOf({ ...item, secretKeys: { key: "k" } })).toEqual({
    item: { name: "web", applicationsSpec: [{ appID: "1", effect: "ban" }], urls: ["x"] },
    left: ["applicationsSpec.certificate", "tokens", "secretKeys"],
  });
});

test("imports endpoints and effects next to a certificate, and keeps it in each write", async () => {
  const { engine, importId, entries, body } = waas(app("1", "ban"), app("2", "alert"));
  expect(await engine.import(importId)).toEqual([]);
  const [one, two] = [
    { appID: "1", effect: "ban" },
    { appID: "2", effect: "alert" },
  ];
  expect(await engine.isConverged(entries(one, two) as never)).toBe(true);
  await engine.applied(entries(two, { ...one, effect: "prevent" }) as never);
  expect(body()).toEqual({
    rules: [{ name: "web", applicationsSpec: [app("2", "alert"), app("1", "prevent")] }],
  });
  expect(JSON.stringify(engine.state)).not.toContain("sealed");
});

test("gives a new object of a list no secret of another one", async () => {
  const { engine, importId, entries, body } = waas(app("1", "ban"));
  await engine.import(importId);
  await engine.applied(entries({ appID: "3", effect: "ban" }) as never);
  expect(body()).toEqual({
    rules: [{ name: "web", applicationsSpec: [{ appID: "3", effect: "ban" }] }],
  });
});
