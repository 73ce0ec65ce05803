import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { key, noteOf, withNote, type Noted } from "../../src/core/notes";

interface Change extends Noted {
  readonly address: string;
}

const SRC = join(__dirname, "../../src");
const COUNT = key<number>("count");
const change: Change = { address: "a" };

test("a value is found by its key, and a copy has it", () => {
  const counted = withNote(change, COUNT, 0);
  expect(noteOf(counted, COUNT)).toBe(0);
  expect(counted.address).toBe("a");
  expect(noteOf(change, COUNT)).toBeUndefined();
});

test("keys of one name are one key, in whichever file of dist they are", () => {
  expect(noteOf(withNote(change, COUNT, 1), key<number>("count"))).toBe(1);
});

test("each name is that of one key", () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(SRC, name), "utf8"));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/= key<[^=]*>\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  // The example of its comment is the key of reviews.
  const used = names.filter((name, index) => names.indexOf(name) !== index);
  expect(names.length).toBeGreaterThan(3);
  expect(used).toEqual(["live"]);
});

test("a key has one value, the last one", () => {
  const twice = withNote(withNote(change, COUNT, 1), COUNT, 2);
  expect(noteOf(twice, COUNT)).toBe(2);
  expect(twice.notes).toHaveLength(1);
});
