import { UNKNOWN, type Value } from "../../../src/core/values";
import { identityOfEntry, nameOf } from "../../../src/review/entries/entry-name";

const KEY = ["registry", "repository", "tags"];
const entry = (registry: string, repository: string, tags: readonly string[] = []) => ({
  registry,
  repository,
  tags,
});

test("entries are one by all parts of their name, not by its text", () => {
  const [one, other] = [entry("a b", "c"), entry("a", "b c")];
  expect(nameOf(one, KEY)).toBe("a b c");
  expect(nameOf(other, KEY)).toBe("a b c");
  expect(identityOfEntry(one, KEY)).not.toBe(identityOfEntry(other, KEY));
  expect(identityOfEntry(one, KEY)).toBe(identityOfEntry({ ...one, cap: 5 }, KEY));
});

test("a part that is left out or null is empty", () => {
  expect(nameOf(entry("", "library/*", ["1", "2"]), KEY)).toBe("library/* 1,2");
  expect(identityOfEntry({ registry: null, repository: "a", tags: [] }, KEY)).toBe(
    identityOfEntry(entry("", "a"), KEY),
  );
});

test.each<[Value]>([
  [UNKNOWN],
  [{ ...entry("a", "b"), repository: UNKNOWN }],
  [{ ...entry("a", "b"), tags: ["1", UNKNOWN] }],
])("an entry whose name is not wholly known has none, and equals no other", (unknown) => {
  expect(nameOf(unknown, KEY)).toBeUndefined();
  expect(identityOfEntry(unknown, KEY)).toBeUndefined();
});
