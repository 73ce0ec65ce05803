import fc from "fast-check";
import { SchemaMismatchError } from "../../../src/api/errors";
import { collect, nextOffset, paged, parseTotalCount } from "../../../src/api/areas/list";

/** A list in pages of at most `cap`, with or without a total. */
function served(count: number, cap: number, tellsTotal: boolean) {
  const all = Array.from({ length: count }, (_, index) => index);
  const calls: [number, number][] = [];
  const fetchPage = (offset: number, limit: number) => {
    calls.push([offset, limit]);
    const items = all.slice(offset, offset + Math.min(limit, cap));
    return Promise.resolve({ items, ...(tellsTotal && { total: count }) });
  };
  return { all, calls, fetchPage };
}

test("yields all items once and in order for any console", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(120),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      async (count, limit, tellsTotal) => {
        const { all, fetchPage } = served(count, 50, tellsTotal);
        // Only the total distinguishes a cap below the limit from the last page.
        fc.pre(tellsTotal || limit <= 50);
        expect(await collect(paged(fetchPage, limit))).toEqual(all);
      },
    ),
  );
});

test("stops at a short page", async () => {
  const { calls, fetchPage } = served(70, 50, false);
  await collect(paged(fetchPage));
  expect(calls).toEqual([
    [0, 50],
    [50, 50],
  ]);
});

test("uses the total to skip an empty last page", async () => {
  const { calls, fetchPage } = served(100, 50, true);
  await collect(paged(fetchPage));
  expect(calls).toHaveLength(2);
});

test("fetches pages on demand", async () => {
  const { calls, fetchPage } = served(100, 50, false);
  for await (const item of paged(fetchPage)) if (item === 3) break;
  expect(calls).toHaveLength(1);
});

test.each([50, 120])("reads %d items of a console without pages once", async (count) => {
  const all = Array.from({ length: count }, (_, index) => ({ index }));
  const fetchPage = () => Promise.resolve({ items: structuredClone(all) });
  expect(await collect(paged(fetchPage))).toEqual(all);
});

test("refuses a list whose pages never end", async () => {
  let pages = 0;
  const fetchPage = (offset: number) => {
    pages += 1;
    return Promise.resolve({
      items: Array.from({ length: 50 }, (_, index) => offset + index),
      total: Number.MAX_SAFE_INTEGER,
    });
  };
  let last = 0;
  const reading = async () => {
    for await (const item of paged(fetchPage, 50, 10, 1_000)) last = item;
  };
  await expect(reading()).rejects.toBeInstanceOf(SchemaMismatchError);
  expect(last).toBe(1_009);
  expect(pages).toBe(20);
});

test("starts at an offset", async () => {
  const { all, fetchPage } = served(120, 50, false);
  expect(await collect(paged(fetchPage, 50, 30))).toEqual(all.slice(30));
});

test("stops at an empty page, even below the total", () => {
  expect(nextOffset(50, 50, { items: [], total: 200 })).toBeUndefined();
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
