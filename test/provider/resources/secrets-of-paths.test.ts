import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { Engine, summaries } from "../support/engine";

/*
 * Secrets of paths that the catalogue does not have: no state, no private state and no record holds
 * what `write_only` names, nor members that are named like secrets and that no entry names.
 */

const PATH = "settings/x";
const list = (more: ObjectValue = {}): ObjectValue => ({
  path: PATH,
  unlisted: true,
  entries: [{ name: "a", level: 1 }],
  ...more,
});
const setting = (more: ObjectValue = {}): ObjectValue => ({
  path: PATH,
  unlisted: true,
  body: { level: 1 },
  ...more,
});
const UNVERSIONED = { write_only: { pin: "canary-pin" } };
const PIN = { write_only: { pin: "canary-pin" }, write_only_version: 1 };
const PINS = { write_only: [{ name: "a", pin: "canary-pin" }], write_only_version: 1 };

async function consoleWith(type: string, document: unknown) {
  const { console, connection } = await ready({ any: () => undefined });
  await console.store(PATH, document);
  const engines: Engine[] = [];
  const open = () => {
    const engine = new Engine(connection, type);
    engines.push(engine);
    return engine;
  };
  const kept = () => JSON.stringify(engines.map(({ seen, stored }) => [seen, stored]));
  return { open, kept, stored: () => console.document(PATH) };
}

test.each([
  ["cwp_list", [], list({ ...PINS, on_destroy: "clear" })],
  ["cwp_list", [], list({ ...PINS, write_only_version: null, on_destroy: "clear" })],
  ["cwp_setting", { level: 0 }, setting(PIN)],
  ["cwp_setting", { level: 0 }, setting(UNVERSIONED)],
  ["cwp_object", [], { path: PATH, unlisted: true, body: { name: "a" }, ...UNVERSIONED }],
  ["cwp_setting", { level: 0, other: 1 }, setting({ ...PIN, mode: "replace", ignore: ["pin"] })],
])(
  "a %s that is created again, and destroyed, keeps none that it wrote",
  async (type, found, config) => {
    const { open, kept, stored } = await consoleWith(type, found);
    await open().applied(config);
    expect(JSON.stringify(stored())).toContain("canary-pin");
    const again = await open().applied(config);
    await again.refresh();
    await again.applied(null);
    expect(kept()).not.toContain("canary");
  },
);

test.each([
  ["cwp_setting", { level: 1, token: "canary" }, setting()],
  [
    "cwp_setting",
    { level: 1, hook: { token: "canary" } },
    setting({ mode: "replace", ignore: ["hook"] }),
  ],
])("a %s keeps none that it found, and a destroy leaves them", async (type, found, config) => {
  const { open, kept, stored } = await consoleWith(type, found);
  const engine = await open().applied(config);
  await engine.applied({ ...config, body: { level: 2 } });
  await engine.applied(null);
  expect(stored()).toEqual(found);
  expect(kept()).not.toContain("canary");
});

test.each([
  ["cwp_list", [{ name: "a", token: "canary" }]],
  ["cwp_setting", { level: 1, token: "canary" }],
])(
  "an import of a %s that ignores them keeps none, and a destroy leaves them",
  async (type, found) => {
    const { open, kept, stored } = await consoleWith(type, found);
    const engine = open();
    const ignore = { path: PATH, ignore: ["token"] };
    expect(await engine.import(JSON.stringify(ignore))).toEqual([]);
    await engine.applied(type === "cwp_list" ? list(ignore) : setting(ignore));
    await engine.applied(null);
    expect(stored()).toEqual(found);
    expect(kept()).not.toContain("canary");
  },
);

test.each([
  ["cwp_list", [{ name: "a", code: "canary" }], list(), { write_only: [{ name: "a", code: "x" }] }],
  ["cwp_setting", { level: 1, code: "canary" }, setting(), { write_only: { code: "x" } }],
])(
  "a %s forgets what it found once write_only names it, and a destroy leaves the new one",
  async (type, found, config, secret) => {
    const { open, stored } = await consoleWith(type, found);
    const engine = open();
    // No configuration that names it was validated before.
    await engine.import(JSON.stringify({ path: PATH, ignore: ["code"] }));
    expect(JSON.stringify(engine.stored)).toContain("canary");
    await engine.applied({ ...config, ...secret, ignore: ["code"], write_only_version: 1 });
    expect(JSON.stringify(engine.stored)).not.toContain("canary");
    await engine.applied(null);
    expect(stored()).toEqual(JSON.parse(JSON.stringify(found).replace("canary", "x")));
  },
);

test("a secret of mode = replace must be ignored", async () => {
  const { open } = await consoleWith("cwp_setting", {});
  const found = open().validate(setting({ ...PIN, mode: "replace" }));
  expect(summaries(found)).toEqual(["Secret would be removed"]);
});

test("what an entry names is restored, whatever its name", async () => {
  const found = [{ name: "a", tokens: { lifetime: 1 } }];
  const { open, stored } = await consoleWith("cwp_list", found);
  const engine = open();
  expect(await engine.import(JSON.stringify({ path: PATH }))).toEqual([]);
  await engine.applied(list({ entries: [{ name: "a", tokens: { lifetime: 2 } }] }));
  await engine.applied(null);
  expect(stored()).toEqual(found);
});
