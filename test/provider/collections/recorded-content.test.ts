import { recorderOf } from "../../../src/provider/collections/recorded-content";
import type { ContentRecord } from "../../../src/core/definitions/content-record";
import { parseJson } from "../../../src/core/json/lossless-json";
import type { EntryCodec } from "../../../src/provider/collections/ownership";

/* The record of a write that was repaired, because somebody changed what the run had written. */

interface Item {
  readonly name: string;
  readonly value: number;
}

const codec = {
  keyOfItem: ({ name }: Item) => name,
  keyOfEntry: ({ name }: Partial<Item>) => name ?? "",
  outgoing: (item: Item) => item,
} as unknown as EntryCodec<Item>;

const list = (text: string): Item[] =>
  (text === "" ? [] : text.split(" ")).map((one) => ({
    name: one.slice(0, 1),
    value: Number(one.slice(1)),
  }));
const textOf = (items: readonly Item[]) =>
  items.map(({ name, value }) => `${name}${value}`).join(" ");

test.each([
  // Before the run, written by the run, what somebody made of it, what a rollback goes back to.
  ["", "a1", "x1 a1", "x1"],
  ["d1", "a1 d1", "x1 a1 d1", "x1 d1"],
  ["d1 e1", "a1 d1 e1", "a1 e1", "e1"],
  ["a1 d1", "a2 d1", "d1 a2 x1", "d1 a1 x1"],
  ["a1 b1 d1", "b1 d1", "d1 b1 x1", "a1 d1 b1 x1"],
  ["a1 b1 d1", "a1 d1", "x1 a1 d1", "x1 a1 b1 d1"],
  ["d1", "a1 d1", "a1 d2", "d2"],
])("of %j, %j and %j goes back to %j", async (before, written, now, expected) => {
  const records: ContentRecord[] = [];
  const note = recorderOf({ what: "items", ordered: true } as never, codec, (record) =>
    Promise.resolve(void records.push(record)),
  );
  await note.replaced(list(before), list(written));
  await note.replaced(list(now), list("z1"));
  const [first, repair] = records;
  const contentOf = (text = "[]") => textOf(parseJson(text) as Item[]);
  if (!first || !repair || !("found" in first) || !("found" in repair)) throw new Error("hidden");
  expect(contentOf(first.found)).toBe(before);
  expect(contentOf(repair.found)).toBe(expected);
  expect(contentOf(repair.foundLast)).toBe(now);
});
