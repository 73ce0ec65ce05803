import { Readable } from "node:stream";
import type { ObjectValue } from "../../../src/core/values";
import { transportTo } from "../../../src/simulator";
import { connectTo, ready } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";

/*
 * A secret of a generic resource stays one where no configuration names it: an import, a destroy, a
 * role that changes. The console repeats what it has in its answers.
 */

const CANARY = "canary-7-secret-text";

async function consoleWith(path: string, document: unknown) {
  const { console, connection, fault, sent } = await ready({ any: () => undefined });
  await console.store(path, document);
  return { console, connection, fault, sent, stored: () => console.document(path) };
}

const SLACK = "https://hooks.slack.example/services/T0/B0/canary-7-secret-text";

test.each<[string, string, unknown, string]>([
  ["cwp_setting", "settings/x", { level: 1, password: CANARY }, "settings/x"],
  ["cwp_setting", "settings/x", { hook: { url: SLACK, on: true } }, "settings/x"],
  ["cwp_setting", "settings/x", { proxy: { url: `https://u:${CANARY}@proxy` } }, "settings/x"],
  ["cwp_setting", "settings/x", { url: `https://x/?sig=${CANARY}` }, "settings/x"],
  ["cwp_list", "settings/x", [{ name: "a", to: [{ webhookUrl: SLACK }] }], "settings/x"],
  ["cwp_object", "users", [{ username: "u", password: CANARY }], "user:u"],
  [
    "cwp_object",
    "alert-profiles",
    [{ name: "p", slack: { enabled: true, webhookUrl: SLACK }, pagerduty: { routingKey: CANARY } }],
    "alert_profile:p",
  ],
])("an import of a %s at %s keeps none of %j", async (type, path, document, id) => {
  const { connection, console } = await consoleWith(path, document);
  const engine = new Engine(connection, type);
  expect(await engine.import(id)).toEqual([]);
  await engine.refresh();
  expect(JSON.stringify([engine.stored, engine.seen])).not.toContain(CANARY);
  expect(JSON.stringify(console.document(path))).toContain(CANARY);
});

const KEYED = { kind: "alert_profile", body: { name: "p", slack: { enabled: true } } };
const URLS = { slack: { webhookUrl: SLACK }, pagerduty: { routingKey: CANARY } };

test("write_only adds members inside of objects of the body, which a later change keeps", async () => {
  const { connection, stored } = await consoleWith("alert-profiles", []);
  const engine = new Engine(connection, "cwp_object");
  const config = { ...KEYED, write_only: URLS, write_only_version: 1 };
  expect(engine.validate(config)).toEqual([]);
  await engine.applied(config);
  expect(stored()).toMatchObject([{ slack: { enabled: true } }]);
  expect(await engine.isConverged(config)).toBe(true);
  await engine.applied({ ...config, body: { name: "p", slack: { enabled: false } } });
  expect(
    await engine.isConverged({ ...config, body: { name: "p", slack: { enabled: false } } }),
  ).toBe(true);
  expect(JSON.stringify([engine.stored, engine.seen])).not.toContain(CANARY);
});

test("refuses a secret of the catalogue inside of the body", async () => {
  const { connection } = await consoleWith("alert-profiles", []);
  const engine = new Engine(connection, "cwp_object");
  const body = { name: "p", slack: { webhookUrl: SLACK } };
  const [problem] = errorsOf(engine.validate({ kind: "alert_profile", body }));
  expect(problem?.summary).toBe("Secret in an attribute that is stored");
  expect(problem?.path).toEqual(["body", "slack", "webhookUrl"]);
  const twice = { ...KEYED, write_only: { slack: { enabled: false } } };
  expect(summaries(engine.validate(twice))).toEqual(["Member is set twice"]);
});

test.each([
  ["cwp_setting", "settings/x", { level: 1, pin: CANARY }, { body: { level: 1 } }, {}],
  [
    "cwp_list",
    "settings/x",
    [{ name: "a", pin: CANARY }],
    { entries: [{ name: "a" }] },
    { name: "a" },
  ],
])(
  "an import of a %s keeps nothing that write_only of a configuration names",
  async (type, path, document, rest, key) => {
    const { connection } = await consoleWith(path, document);
    const secret = { ...key, pin: "another" };
    const config: ObjectValue = {
      path,
      unlisted: true,
      ...rest,
      write_only: type === "cwp_list" ? [secret] : secret,
    };
    const engine = new Engine(connection, type);
    expect(engine.validate(config)).toEqual([]);
    expect(await engine.import(path)).toEqual([]);
    expect(await engine.isConverged(config)).toBe(true);
    expect(JSON.stringify([engine.stored, engine.seen])).not.toContain(CANARY);
  },
);

test("a plan removes what write_only names from a state that has it", async () => {
  const { connection } = await consoleWith("settings/y", { level: 1, pin: CANARY });
  const engine = new Engine(connection, "cwp_setting");
  expect(await engine.import("settings/y")).toEqual([]);
  expect(JSON.stringify(engine.state)).toContain(CANARY);
  const config = {
    path: "settings/y",
    unlisted: true,
    body: { level: 1 },
    write_only: { pin: "x" },
  };
  await engine.applied(config);
  expect(JSON.stringify(engine.stored)).not.toContain(CANARY);
  expect(await engine.isConverged(config)).toBe(true);
});

test.each([
  ["a console that shows it", { username: "u", role: "a", password: CANARY }],
  ["a console that shows it encrypted", { username: "u", role: "a", password: { encrypted: "e" } }],
])("a change of a role sends no password to %s", async (_, found) => {
  const { connection, sent, stored } = await consoleWith("users", [found]);
  const engine = new Engine(connection, "cwp_object");
  expect(await engine.import("user:u")).toEqual([]);
  const config = {
    kind: "user",
    body: { username: "u", role: "b" },
    write_only: { password: "another-password" },
  };
  await engine.applied(config);
  const [write] = sent.filter(({ method }) => method === "PUT");
  expect(write?.body).not.toContain(CANARY);
  expect(write?.body).not.toContain("another-password");
  expect(stored()).toMatchObject([{ role: "b", password: found.password }]);
  expect(await engine.isConverged(config)).toBe(true);
});

test.each([
  ["what it has", JSON.stringify({ err: `cannot delete {"username":"u","password":"${CANARY}"}` })],
  [
    "what it has, cut",
    JSON.stringify({ err: `cannot delete {"username":"u","password":"${CANARY}`.slice(0, -3) }),
  ],
  ["its document", JSON.stringify({ detail: "no", document: { pin: CANARY } })],
])("a destroy shows no secret of a console that repeats %s", async (_, body) => {
  const { console } = await consoleWith("users", []);
  const inner = transportTo(console);
  const connection = connectTo((request) =>
    request.method === "DELETE"
      ? Promise.resolve({ status: 400, headers: {}, body: Readable.from([Buffer.from(body)]) })
      : inner(request),
  );
  const engine = new Engine(connection, "cwp_object");
  await engine.applied({
    kind: "user",
    body: { username: "u", role: "a" },
    write_only: { password: "first-password", pin: "1" },
    write_only_version: 1,
  });
  const [problem] = errorsOf(await engine.apply(null));
  const text = JSON.stringify(problem);
  expect(text).toContain("answered 400");
  expect(text).toContain("[redacted]");
  expect(text).not.toContain(CANARY.slice(0, -3));
});
