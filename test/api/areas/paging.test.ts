import fc from "fast-check";
import { collect } from "../../../src/api/areas/list";
import { nextOffset, paged, parseTotalCount } from "../../../src/api/areas/paging";

/** A list served in pages of at most `cap`, which may tell its length. */
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

test("all items come once and in order, whatever the console does", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(120),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      async (count, limit, tellsTotal) => {
        const { all, fetchPage } = served(count, 50, tellsTotal);
        // A cap below the limit can only be told from the last page by the total.
        fc.pre(tellsTotal || limit <= 50);
        expect(await collect(paged(fetchPage, limit))).toEqual(all);
      },
    ),
  );
});

test("a short page is the last one", async () => {
  const { calls, fetchPage } = served(70, 50, false);
  await collect(paged(fetchPage));
  expect(calls).toEqual([
    [0, 50],
    [50, 50],
  ]);
});

test("the total saves the empty page after a full last one", async () => {
  const { calls, fetchPage } = served(100, 50, true);
  await collect(paged(fetchPage));
  expect(calls).toHaveLength(2);
});

test("pages are fetched as they are asked for", async () => {
  const { calls, fetchPage } = served(100, 50, false);
  for await (const item of paged(fetchPage)) if (item === 3) break;
  expect(calls).toHaveLength(1);
});

test.each([50, 120])("a console without pages that has %d items gives them once", async (count) => {
  const all = Array.from({ length: count }, (_, index) => ({ index }));
  const fetchPage = () => Promise.resolve({ items: structuredClone(all) });
  expect(await collect(paged(fetchPage))).toEqual(all);
});

test("they can start elsewhere", async () => {
  const { all, fetchPage } = served(120, 50, false);
  expect(await collect(paged(fetchPage, 50, 30))).toEqual(all.slice(30));
});

test("an empty page ends it, even if the total promises more", () => {
  expect(nextOffset(50, 50, { items: [], total: 200 })).toBeUndefined();
});

test.each([
  ["120", 120],
  ["0", 0],
  ["many", undefined],
  ["-1", undefined],
  [undefined, undefined],
])("Total-Count %j", (value, expected) => {
  expect(parseTotalCount(value)).toBe(expected);
});
