import { closeSecondConsoles, connectToSecond } from "../support/second-console";
import { storing } from "../support/consoles";
import { Engine, summaries } from "../support/engine";

afterEach(closeSecondConsoles);

const setting = (body: object, more: object = {}) =>
  ({ path: "settings/certs", unlisted: true, method: "POST", body, ...more }) as never;

test("sends a document as read, without members that the console refuses", async () => {
  const { served, connection } = await connectToSecond();
  const found = () => served.content().documents["settings/certs"];
  const before = structuredClone(found());
  const engine = await new Engine(connection, "cwp_setting").applied(
    setting({ consoleSAN: ["a"] }),
  );
  expect(found()).toEqual({ ...before, consoleSAN: ["a"] });
  expect(await engine.isConverged(setting({ consoleSAN: ["a"] }))).toBe(true);
  (found() as Record<string, unknown>).caExpiration = "2040-01-01T00:00:00Z";
  expect(await engine.isConverged(setting({ consoleSAN: ["a"] }))).toBe(true);
  await engine.applied(null);
  expect(found()).toEqual({ ...before, caExpiration: "2040-01-01T00:00:00Z" });
});

test("keeps all other members on a console that replaces the document", async () => {
  const text = '{"a":1,"kept":{"x":[1.0]},"modified":"now","computed":7}';
  const { connection, body } = storing("/api/v1/settings/x", text);
  const own = (a: number) =>
    ({ path: "settings/x", unlisted: true, body: { a }, read_only: ["computed"] }) as never;
  const engine = await new Engine(connection, "cwp_setting").applied(own(2));
  expect(body()).toBe('{"a":2,"kept":{"x":[1.0]},"modified":"now"}');
  await engine.applied(null);
  expect(body()).toBe('{"kept":{"x":[1.0]},"modified":"now","a":1}');
});

test("refuses a member that is read only, and imports none", async () => {
  const { connection } = await connectToSecond();
  const engine = new Engine(connection, "cwp_setting");
  expect(summaries(engine.validate(setting({ caExpiration: "x" })))).toEqual(["Member is ignored"]);
  await engine.import("settings/certs");
  expect(engine.state?.body).not.toHaveProperty("caExpiration");
});
