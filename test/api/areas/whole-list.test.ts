import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import {
  extentOf,
  keysOfRows,
  parseTotalCount,
  readWhole,
  type ListPage,
} from "../../../src/api/areas/whole-list";
import { cases } from "../../support/cases";
import { ApiError, ListNotWholeError, SchemaMismatchError } from "../../../src/api/errors";

interface Served {
  readonly rows: readonly number[];
  /** Rows of a page. Infinity: the console answers the whole list whatever the offset. */
  readonly size: number;
  /** `first`: of the first page alone. */
  readonly hasTotal: boolean | "first";
  /** The console rounds an offset down to the beginning of a page. */
  readonly rounds?: boolean;
  /** Called before each answer; returns the list from then on. */
  readonly change?: (rows: readonly number[], request: number) => readonly number[];
  readonly mayPage?: boolean;
  readonly isPart?: boolean;
  readonly start?: number;
  readonly most?: number;
}

/** Reads a list of a console. */
async function read({
  size,
  hasTotal,
  rounds = false,
  change,
  mayPage = true,
  isPart,
  ...given
}: Served) {
  let { rows } = given;
  const offsets: number[] = [];
  const versions = [rows];
  const reading = readWhole<number, ListPage<number>>({
    what: "numbers",
    mayPage,
    ...(given.start !== undefined && { start: given.start }),
    most: given.most,
    fetch: (offset) => {
      rows = change?.(rows, offsets.length) ?? rows;
      versions.push(rows);
      offsets.push(offset);
      const from = rounds ? offset - (offset % size) : offset;
      const page = size === Infinity ? rows : rows.slice(from, from + size);
      const isCounted = hasTotal === "first" ? offset === (given.start ?? 0) : hasTotal;
      return Promise.resolve({ rows: page, isPart, ...(isCounted && { total: rows.length }) });
    },
    keysOf: (page) => keysOfRows(page.rows.map((id) => ({ id }))),
  });
  const found = await reading.then(
    (list) => list.rows,
    (failure: unknown) => failure,
  );
  return { found, offsets, versions };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const sizes = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Infinity));

test.each([
  { hasTotal: true },
  { hasTotal: false },
  { hasTotal: true, rounds: true },
  { hasTotal: false, rounds: true },
  { hasTotal: "first" as const },
])("reads all rows once and in order, for each size of pages: %j", async (habits) => {
  for (const size of [...numbers(12).map((less) => less + 1), Infinity]) {
    for (const count of numbers(26)) {
      const { found } = await read({ rows: numbers(count), size, ...habits });
      expect({ size, count, found }).toEqual({ size, count, found: numbers(count) });
    }
  }
});

/** Rows that are added and removed at any place, before any request. */
const changes = fc.array(fc.record({ at: fc.nat(12), place: fc.nat(60), removes: fc.boolean() }), {
  maxLength: 6,
});

test("reads each row that is there throughout, or refuses, while rows are added and removed", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(Infinity)),
      fc.record({
        hasTotal: fc.constantFrom(true, false, "first" as const),
        rounds: fc.boolean(),
      }),
      changes,
      async (count, size, habits, edits) => {
        let added = 1000;
        const { found, versions } = await read({
          rows: numbers(count),
          size,
          ...habits,
          change: (rows, request) =>
            edits
              .filter(({ at }) => at === request)
              .reduce<readonly number[]>(
                (list, { place, removes }) =>
                  list.toSpliced(
                    Math.min(place, list.length),
                    removes ? 1 : 0,
                    ...(removes ? [] : [(added += 1)]),
                  ),
                rows,
              ),
        });
        if (found instanceof ListNotWholeError) {
          refused += 1;
          return;
        }
        const rows = found as readonly number[];
        const throughout = versions[0]?.filter((row) => versions.every((one) => one.includes(row)));
        expect(rows.filter((row) => throughout?.includes(row))).toEqual(throughout);
        expect(new Set(rows).size).toBe(rows.length);
        expect(rows.every((row) => versions.some((one) => one.includes(row)))).toBe(true);
      },
    ),
    { numRuns: cases(200) },
  );
  // Three repetitions are enough for most.
  expect(refused).toBeLessThan(cases(20));
});

test("reads pages of one row twice, because they cannot overlap", async () => {
  // The row behind a removed one would be passed over.
  const { found } = await read({
    rows: numbers(4),
    size: 1,
    hasTotal: false,
    change: (rows, request) => (request === 2 ? rows.slice(1) : rows),
  });
  expect(found).toEqual([1, 2, 3]);
});

test("sends one request for a list that comes whole, and one more for one that may have pages", async () => {
  const whole = { rows: numbers(50), size: Infinity, hasTotal: false };
  expect((await read({ ...whole, mayPage: false })).offsets).toEqual([0]);
  expect((await read(whole)).offsets).toEqual([0, 49, 50]);
  expect((await read({ ...whole, hasTotal: true })).offsets).toEqual([0]);
  expect((await read({ ...whole, rows: [] })).offsets).toEqual([0]);
  expect((await read({ ...whole, rows: numbers(120), size: 50 })).offsets).toEqual([
    0, 49, 98, 119,
  ]);
  expect((await read({ ...whole, rows: numbers(120), size: 50, hasTotal: true })).offsets).toEqual([
    0, 49, 98,
  ]);
});

test("reads the pages of a list that should come whole, if the total says so", async () => {
  const { found } = await read({ rows: numbers(60), size: 50, hasTotal: true, mayPage: false });
  expect(found).toEqual(numbers(60));
});

test("starts at an offset, and ends after enough rows", async () => {
  const paged = { rows: numbers(120), size: 50, hasTotal: true };
  expect((await read({ ...paged, start: 30 })).found).toEqual(numbers(120).slice(30));
  expect((await read({ ...paged, start: 130 })).found).toEqual([]);
  const { found, offsets } = await read({ ...paged, most: 60 });
  expect(found).toEqual(numbers(99));
  expect(offsets).toHaveLength(2);
});

/** Reads a list of texts whose answers are given by offset. */
function readTexts(answer: (offset: number) => ListPage<string>, hasKeys = true) {
  return readWhole<string, ListPage<string>>({
    what: "accounts",
    mayPage: true,
    fetch: (offset) => Promise.resolve(answer(offset)),
    keysOf: ({ rows }) => keysOfRows(hasKeys ? rows.map((name) => ({ name })) : rows),
  });
}

test.each([400, 404])(
  "takes a refusal of the offset alone with %d for a whole list",
  async (status) => {
    const { rows } = await readTexts((offset) => {
      if (offset > 0) throw new ApiError("list", "refused", { status, serverMessage: "" });
      return { rows: ["a", "b"] };
    });
    expect(rows).toEqual(["a", "b"]);
  },
);

test("says how many rows a console withholds", async () => {
  const reading = readTexts(() => ({ rows: numbers(50).map(String), total: 159 }));
  await expect(reading).rejects.toMatchObject({
    name: "ListNotWholeError",
    message:
      "The list of accounts is not whole: the console answers 50 rows, and its Total-Count says 159.",
    rows: 50,
    total: 159,
  });
  await expect(readTexts(() => ({ rows: ["a"], total: 0 }))).rejects.toThrow("Total-Count says 0");
});

test("refuses a list that changes in each of four readings", async () => {
  let at = 0;
  const reading = readTexts(() => ({ rows: numbers(3).map(() => `row ${(at += 1)}`) }));
  await expect(reading).rejects.toThrow("The list of accounts changes while it is read");
  expect(at).toBe(3 * 8);
});

test("accepts equal texts on two pages, where a row has no key", async () => {
  const names = ["f", "g", "f", "h", "f"];
  const page = (offset: number) => ({ rows: names.slice(offset, offset + 2) });
  expect((await readTexts(page, false)).rows).toEqual(names);
  await expect(readTexts(page)).rejects.toBeInstanceOf(ListNotWholeError);
});

test("refuses a list whose pages never end", async () => {
  const endless = readWhole<string, ListPage<string>>({
    what: "accounts",
    mayPage: true,
    fetch: (offset) =>
      Promise.resolve({ rows: ["last", String(offset), ...Array<string>(500_000).fill("last")] }),
    keysOf: ({ rows }) => ({ keys: rows.length === 0 ? [] : [...rows], areUnique: false }),
  });
  await expect(endless).rejects.toBeInstanceOf(SchemaMismatchError);
});

test.each([
  [{ _id: "1", name: "a", modified: "now" }, { _id: "1", name: "b", modified: "later" }, true],
  [{ credentialId: "a", on: true }, { credentialId: "a", on: false }, true],
  [{ credentialId: "a" }, { credentialId: "b" }, false],
  [{ text: "a", modified: "now" }, { text: "a", modified: "later" }, true],
  [{ text: "a" }, { text: "b" }, false],
])("compares rows by what identifies them: %j and %j", (one, other, isSame) => {
  const [keys, others] = [keysOfRows([one]).keys, keysOfRows([other]).keys];
  expect(isDeepStrictEqual(keys, others)).toBe(isSame);
});

test.each([
  ["120", 120],
  ["0", 0],
  ["many", undefined],
  ["-1", undefined],
  [undefined, undefined],
])("parses Total-Count %j", (value, expected) => {
  expect(parseTotalCount(value)).toBe(expected);
});

test.each<[Record<string, string>, number, object]>([
  [{}, 200, { total: undefined, isPart: false }],
  [{ "total-count": "60" }, 200, { total: 60, isPart: false }],
  [{ "total-count": "60, 60" }, 200, { total: 60, isPart: false }],
  [{ "total-count": "60", "x-total-count": "9" }, 200, { total: 60, isPart: false }],
  [{ "x-total-count": "60" }, 200, { total: 60, isPart: false }],
  [{ "content-range": "items 0-49/60" }, 206, { total: 60, isPart: true }],
  [{ "content-range": "items 0-49/*" }, 206, { total: undefined, isPart: true }],
  [{ link: '</x?cursor=b>; rel="next"' }, 200, { total: undefined, isPart: true }],
  [{ link: '</a>; rel="prev", </b>; rel=next' }, 200, { total: undefined, isPart: true }],
  [{ link: '</x?rel=next>; rel="last"' }, 200, { total: undefined, isPart: false }],
])("reads the extent of a list from %j with %d", (headers, status, extent) => {
  expect(extentOf({ status, header: (name) => headers[name] })).toEqual(extent);
});

test("a list that says that it is a part is read on, also where no pages are known", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), sizes, async (count, size) => {
      const { found } = await read({
        rows: numbers(count),
        size,
        hasTotal: false,
        mayPage: false,
        isPart: true,
      });
      if (size === Infinity && count > 0) expect(found).toBeInstanceOf(ListNotWholeError);
      else expect(found).toEqual(numbers(count));
    }),
  );
});
