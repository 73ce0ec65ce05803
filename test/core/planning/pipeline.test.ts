import {
  computeAttributes,
  fillDefaults,
  keepComputed,
  keepEquivalent,
  nullWriteOnly,
  planObject,
  replacePaths,
  markComputedUnknown,
  type PlanningStep,
} from "../../../src/core/planning/pipeline";
import {
  bool,
  computed,
  list,
  object,
  optional,
  optionalComputed,
  required,
  string,
} from "../../../src/core/schema/attribute";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { complete } from "../../provider/support/engine";

const sameLetters = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const textOf = (values: unknown) => JSON.stringify(values);

const partAttributes = {
  label: required(string(), ""),
  on: optional(bool(), "", { default: false }),
  secret: optional(string(), "", { writeOnly: true }),
  mark: computed(string(), "", {
    plan: ({ config, prior }) => textOf([config.secret, prior]),
  }),
  json: optional(string(), "", { equivalent: sameLetters }),
};

const attributes = {
  id: computed(string(), "", { stable: true }),
  revision: computed(string(), ""),
  user: optionalComputed(string(), "", { requiresReplace: true }),
  name: optional(string(), "", { default: "none" }),
  key: optional(string(), "", { writeOnly: true }),
  mark: computed(string(), "", {
    plan: ({ config, prior }) =>
      config.key === UNKNOWN ? UNKNOWN : textOf([config.key, prior?.mark]),
  }),
  json: optional(string(), "", { equivalent: sameLetters }),
  settings: optional(
    object({
      on: optional(bool(), "", { default: true }),
      seen: computed(string(), ""),
      region: optional(string(), "", { requiresReplace: true }),
    }),
    "",
    { default: { on: true, seen: null, region: null } },
  ),
  parts: optional(list(object(partAttributes)), ""),
};

const config = (given: ObjectValue) => complete(attributes, given);

interface Case {
  readonly config?: ObjectValue;
  readonly prior?: ObjectValue;
  /** Default: the configuration. */
  readonly planned?: ObjectValue;
  readonly expected: ObjectValue;
}

function table(step: PlanningStep, cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))("%s", (_, one) => {
    const configured = config(one.config ?? {});
    const result = step({
      attributes,
      config: configured,
      prior: one.prior ? config(one.prior) : null,
      planned: config(one.planned ?? one.config ?? {}),
    });
    expect(result).toMatchObject(one.expected);
  });
}

describe("defaults", () => {
  table(fillDefaults, {
    "stand where the configuration is null": {
      expected: { name: "none", settings: { on: true } },
    },
    "not where it says something, be it false, empty or unknown": {
      config: { name: "", settings: { on: false }, parts: [{ label: "a", on: UNKNOWN }] },
      expected: { name: "", settings: { on: false }, parts: [{ on: UNKNOWN }] },
    },
    "at any depth": {
      config: { settings: {}, parts: [{ label: "a" }, { label: "b", on: true }] },
      expected: {
        settings: { on: true },
        parts: [{ on: false }, { on: true }],
      },
    },
    "never from the prior state": {
      config: { parts: [{ label: "b" }] },
      prior: { name: "old", parts: [{ label: "a", on: true }] },
      expected: { name: "none", parts: [{ label: "b", on: false }] },
    },
    "behind an unknown there is nothing to fill": {
      config: { settings: UNKNOWN, parts: UNKNOWN },
      expected: { settings: UNKNOWN, parts: UNKNOWN },
    },
  });
});

describe("write-only values", () => {
  table(nullWriteOnly, {
    "are null, known or not": {
      config: {
        key: "k",
        parts: [
          { label: "a", secret: "s" },
          { label: "b", secret: UNKNOWN },
        ],
      },
      expected: { key: null, parts: [{ secret: null }, { secret: null }] },
    },
  });
});

describe("computed values", () => {
  table(keepComputed, {
    "are unknown on create": {
      config: { settings: {} },
      expected: { id: UNKNOWN, revision: UNKNOWN, user: UNKNOWN, settings: { seen: UNKNOWN } },
    },
    "stay as they were": {
      config: { settings: {} },
      prior: { id: "1", revision: "2", user: "u", settings: { seen: "s" } },
      expected: { id: "1", revision: "2", user: "u", settings: { seen: "s" } },
    },
    "give way to the configuration": {
      config: { user: "mine" },
      prior: { user: "theirs" },
      expected: { user: "mine" },
    },
    "do not move with a list's positions": {
      config: { parts: [{ label: "b" }] },
      prior: { parts: [{ label: "a", mark: "of a" }] },
      expected: { parts: [{ mark: UNKNOWN }] },
    },
  });
});

describe("values that mean the same", () => {
  table(keepEquivalent, {
    "stay as they were spelled": {
      config: { json: "A", parts: [{ label: "x", json: "B" }] },
      prior: { json: "a", parts: [{ label: "y", json: "b" }] },
      expected: { json: "a", parts: [{ label: "x", json: "b" }] },
    },
    "others do not": {
      config: {
        json: "A",
        parts: [
          { label: "x", json: "B" },
          { label: "y", json: "C" },
        ],
      },
      prior: { json: "b", parts: [{ label: "x", json: null }] },
      expected: { json: "A", parts: [{ json: "B" }, { json: "C" }] },
    },
    "nor does what is not known": {
      config: { json: UNKNOWN },
      prior: { json: "a" },
      expected: { json: UNKNOWN },
    },
  });
});

describe("attributes that plan themselves", () => {
  table(computeAttributes, {
    "see the write-only values and the prior state": {
      config: { key: "k" },
      prior: { mark: "m" },
      planned: {},
      expected: { mark: '["k","m"]' },
    },
    "may be unknown": {
      config: { key: UNKNOWN },
      planned: {},
      expected: { mark: UNKNOWN },
    },
    "have no prior self inside lists": {
      config: { parts: [{ label: "a", secret: "s" }] },
      prior: { parts: [{ label: "a", mark: "m" }] },
      planned: { parts: [{ label: "a" }] },
      expected: { parts: [{ mark: '["s",null]' }] },
    },
  });
});

describe("an update", () => {
  const prior = { id: "1", revision: "2", user: "u", mark: "m", name: "n" };
  table(markComputedUnknown, {
    "without a change keeps everything": { prior, planned: prior, expected: prior },
    "leaves open what is neither stable nor planned": {
      prior,
      planned: { ...prior, name: "other" },
      expected: { id: "1", mark: "m", name: "other", revision: UNKNOWN, user: UNKNOWN },
    },
    "leaves a configured value": {
      config: { user: "u" },
      prior,
      planned: { ...prior, name: "other" },
      expected: { user: "u", revision: UNKNOWN },
    },
  });
});

test("the steps together: create, no change, update", () => {
  const given = config({ key: "k", parts: [{ label: "a", secret: "s" }] });
  const created = planObject(attributes, given, null);
  expect(created).toEqual({
    ...config({}),
    id: UNKNOWN,
    revision: UNKNOWN,
    user: UNKNOWN,
    name: "none",
    mark: '["k",null]',
    settings: { on: true, seen: UNKNOWN, region: null },
    parts: [{ label: "a", on: false, secret: null, mark: '["s",null]', json: null }],
  });
  const state = {
    ...created,
    ...{ id: "1", revision: "r", user: "u", mark: '["k",null]' },
    settings: { on: true, seen: "s", region: null },
  };
  const plain = { ...attributes, mark: attributes.id };
  expect(planObject(plain, given, state)).toEqual(state);
  expect(planObject(plain, { ...given, name: "new" }, state)).toEqual({
    ...state,
    name: "new",
    revision: UNKNOWN,
    user: UNKNOWN,
    settings: { on: true, seen: UNKNOWN, region: null },
  });
});

describe("replacement", () => {
  const prior = config({ user: "u", name: "n", settings: { region: "r" } });
  test.each<[string, ObjectValue, unknown]>([
    ["nothing, where nothing differs", {}, []],
    ["nothing, where the change can be made in place", { name: "other" }, []],
    ["an attribute that says so", { user: "v" }, [["user"]]],
    ["one that is not known", { user: UNKNOWN }, [["user"]]],
    [
      "one inside an object",
      { settings: { on: null, seen: null, region: "s" } },
      [["settings", "region"]],
    ],
  ])("%s", (_, change, expected) => {
    expect(replacePaths(attributes, prior, { ...prior, ...change })).toEqual(expected);
  });
});
