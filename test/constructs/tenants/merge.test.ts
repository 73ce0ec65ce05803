import { Fn, Token } from "cdktf";
import fc from "fast-check";
import { Secret, type TenantSettings } from "cdktf-console";
import { merge, type Overrides } from "../../../src/constructs/tenants/merge";

const settings = (policies: readonly object[], others: object = {}) =>
  ({ policies: { policies, ...others } }) as unknown as TenantSettings;
const change = (value: unknown) => value as Overrides<TenantSettings>;
const named = (name: string, more: object = {}) => ({ name, checks: { 41: true }, ...more });

describe("merge", () => {
  test("keeps what the overrides leave out", () => {
    const base = settings([named("a")], { ownership: "prefix" });
    expect(merge(base, { policies: { ownership: undefined }, license: {} })).toEqual({
      ...base,
      license: {},
    });
  });

  test("removes what the overrides set to null, at any depth", () => {
    const base = settings([named("a", { checks: { 41: true, 51: false } })], {
      ownership: "prefix",
    });
    const overrides = change({
      policies: { ownership: null, policies: [{ name: "a", checks: { 51: null } }] },
      license: null,
    });
    expect(merge({ ...base, license: { key: "k" } }, overrides)).toEqual(
      settings([named("a", { checks: { 41: true } })]),
    );
  });

  test("merges entries by name in their position, puts others first, and removes", () => {
    const base = settings([named("a"), named("b"), named("c")]);
    const overrides = change(
      settings([
        named("new"),
        { name: "c", disabled: true },
        { name: "a", removed: true },
        named("newer"),
      ]),
    );
    expect(merge(base, overrides)).toEqual(
      settings([named("new"), named("newer"), named("b"), named("c", { disabled: true })]),
    );
  });

  test("ignores the removal of an entry that the base line does not have", () => {
    const base = settings([named("a")]);
    expect(merge(base, change(settings([{ name: "b", removed: true }])))).toEqual(base);
  });

  test("replaces other lists, and a named list by an empty one", () => {
    const base = {
      policies: settings([named("a")]).policies,
      registryScan: { specifications: [1, 2] },
    };
    const overrides = { policies: { policies: [] }, registryScan: { specifications: [3] } };
    expect(merge<unknown>(base, overrides)).toEqual(overrides);
  });

  test("replaces secrets and tokens as a whole", () => {
    const secret = Secret.fromEnv("A");
    const token = Token.asAny(Fn.jsondecode("{}"));
    const merged = merge<Record<string, unknown>>(
      { a: { b: 1 }, c: { d: 1 } },
      { a: secret, c: token },
    );
    expect(merged.a).toBe(secret);
    expect(merged.c).toBe(token);
  });

  test("takes a member named __proto__ as a member", () => {
    const overrides: unknown = JSON.parse('{ "__proto__": { "polluted": true } }');
    const merged = merge<unknown>({ a: 1 }, overrides as object);
    expect(Object.keys(merged as object)).toEqual(["a", "__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("for any settings", () => {
  const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean());
  const key = fc.constantFrom("a", "b", "c", "__proto__", "removed2");
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(scalar, { maxLength: 3 }),
      fc.uniqueArray(fc.record({ name: fc.constantFrom("x", "y", "z"), v: tie("any") }), {
        selector: ({ name }) => name,
        maxLength: 3,
      }),
      fc.dictionary(key, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  const object = fc.dictionary(key, value, { maxKeys: 4 });

  test("empty overrides change nothing, and the base line over itself is itself", () => {
    fc.assert(
      fc.property(object, (base) => {
        expect(merge<unknown>(base, {})).toEqual(base);
        expect(merge<unknown>(base, base)).toEqual(base);
      }),
    );
  });

  test("an override wins, and a second merge changes nothing", () => {
    fc.assert(
      fc.property(object, object, (base, over) => {
        const once = merge<unknown>(base, over);
        expect(merge<unknown>(once, over)).toEqual(once);
        for (const [name, member] of Object.entries(over)) {
          if (typeof member !== "object") expect(once).toHaveProperty([name], member);
        }
      }),
    );
  });

  test("neither the base line nor the overrides are changed", () => {
    fc.assert(
      fc.property(object, object, (base, over) => {
        const before = JSON.stringify([base, over]);
        merge<unknown>(base, over);
        expect(JSON.stringify([base, over])).toBe(before);
      }),
    );
  });

  test("members that the overrides do not name stay as they are", () => {
    fc.assert(
      fc.property(object, object, (base, over) => {
        const result = merge<Record<string, unknown>>(base, over);
        for (const [name, member] of Object.entries(base)) {
          if (!Object.hasOwn(over, name))
            expect(Object.entries(result)).toContainEqual([name, member]);
        }
      }),
    );
  });
});
