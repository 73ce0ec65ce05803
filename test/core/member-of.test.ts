import { mapMembers, memberOf, setMember } from "../../src/core/member-of";

test.each(["constructor", "__proto__", "toString", "missing"])("%s is no own member", (name) => {
  expect(memberOf({ a: 1 }, name)).toBeUndefined();
});

test("gets an own member of any name, and nothing of nothing", () => {
  const object = JSON.parse('{ "__proto__": 1, "toString": 2 }') as Record<string, number>;
  expect([memberOf(object, "__proto__"), memberOf(object, "toString")]).toEqual([1, 2]);
  expect(memberOf(undefined, "a")).toBeUndefined();
});

test("sets a member named __proto__ as any other", () => {
  const object: Record<string, number> = {};
  setMember(object, "__proto__", 1);
  expect(Object.keys(mapMembers(object, (value) => value + 1))).toEqual(["__proto__"]);
});
