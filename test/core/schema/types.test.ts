import {
  bool,
  computed,
  list,
  map,
  number,
  object,
  optional,
  optionalComputed,
  required,
  set,
  string,
} from "../../../src/core/schema/attribute";
import type { ConfigOf, PlannedOf, StateOf } from "../../../src/core/schema/types";
import type { Unknown } from "../../../src/core/values";

/** The type itself if both types are assignable to each other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;

const same = true;

const attributes = {
  name: required(string(), "required"),
  size: optional(number(), "optional"),
  on: optional(bool(), "with a default", { default: false }),
  user: optionalComputed(string(), "either"),
  id: computed(string(), "computed"),
  key: required(string(), "write-only", { writeOnly: true }),
  tags: optional(set(string()), "set with a default", { default: ["*"] }),
  checks: required(map(bool()), "map"),
  parts: required(
    list(
      object({
        label: required(string(), "label"),
        secret: optional(string(), "secret", { writeOnly: true }),
        mark: computed(string(), "mark"),
      }),
    ),
    "list of objects",
  ),
};

test("types a state with defaults and without write-only values", () => {
  same satisfies Same<
    StateOf<typeof attributes>,
    {
      readonly name: string;
      readonly size: number | null;
      readonly on: boolean;
      readonly user: string;
      readonly id: string | null;
      readonly key: null;
      readonly tags: readonly string[];
      readonly checks: Readonly<Record<string, boolean>>;
      readonly parts: readonly {
        readonly label: string;
        readonly secret: null;
        readonly mark: string | null;
      }[];
    }
  >;
  const state: StateOf<typeof attributes> = {
    name: "a",
    size: null,
    on: false,
    user: "u",
    id: "i",
    key: null,
    tags: ["*"],
    checks: { 41: true },
    parts: [{ label: "l", secret: null, mark: "m" }],
  };
  // @ts-expect-error a default is never null in a state
  const withoutDefault: typeof state = { ...state, on: null };
  // @ts-expect-error a state holds no write-only value
  const withSecret: typeof state = { ...state, key: "secret" };
  expect([withoutDefault.on, withSecret.key]).toEqual([null, "secret"]);
});

test("types a configuration with write-only values and optional defaults", () => {
  same satisfies Same<
    ConfigOf<typeof attributes>,
    {
      readonly name: string;
      readonly size: number | null;
      readonly on: boolean | null;
      readonly user: string | null;
      readonly id: null;
      readonly key: string;
      readonly tags: readonly string[] | null;
      readonly checks: Readonly<Record<string, boolean>>;
      readonly parts: readonly {
        readonly label: string;
        readonly secret: string | null;
        readonly mark: null;
      }[];
    }
  >;
  expect(attributes.key.writeOnly).toBe(true);
});

test("types a plan with unknown computed attributes at the top", () => {
  type Planned = PlannedOf<typeof attributes>;
  same satisfies Same<Planned["id"], string | null | Unknown>;
  same satisfies Same<Planned["user"], string | Unknown>;
  same satisfies Same<Planned["name"], string>;
  same satisfies Same<Planned["parts"][number]["mark"], string | null>;
  expect(attributes.id.mode).toBe("computed");
});
