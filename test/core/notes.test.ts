import { key, noteOf, withNote, type Noted } from "../../src/core/notes";

interface Change extends Noted {
  readonly address: string;
}

const COUNT = key<number>("count");
const OTHER = key<number>("count");
const change: Change = { address: "a" };

test("a value is found by its key, and a copy has it", () => {
  const counted = withNote(change, COUNT, 0);
  expect(noteOf(counted, COUNT)).toBe(0);
  expect(counted.address).toBe("a");
  expect(noteOf(change, COUNT)).toBeUndefined();
});

test("keys of one name are different ones", () => {
  expect(noteOf(withNote(change, COUNT, 1), OTHER)).toBeUndefined();
  const both = withNote(withNote(change, COUNT, 1), OTHER, 2);
  expect([noteOf(both, COUNT), noteOf(both, OTHER)]).toEqual([1, 2]);
});

test("a key has one value, the last one", () => {
  const twice = withNote(withNote(change, COUNT, 1), COUNT, 2);
  expect(noteOf(twice, COUNT)).toBe(2);
  expect(twice.notes).toHaveLength(1);
});
