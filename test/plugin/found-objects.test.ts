import { FoundObjects } from "../../src/plugin/session";

const object = (id: string) => ({ state: { id }, private: { digest: id } });

test("keeps the objects of a run by their names", () => {
  const found = new FoundObjects();
  found.add("a", object("a"));
  found.add(undefined, object("x"));
  expect(found.of("a")).toEqual(object("a"));
  expect(found.of("b")).toBeUndefined();
  expect(found.of(undefined)).toBeUndefined();
});

test("keeps nothing of two objects of one name", () => {
  const found = new FoundObjects();
  found.add("a", object("a"));
  found.add("a", object("b"));
  expect(found.of("a")).toBeUndefined();
});
