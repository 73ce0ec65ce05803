import { isDeepStrictEqual } from "node:util";

/** One page of a list, with the total number of items if the console sends it (`Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
}

/** Consoles cap `limit` at 50; a page that was cut short would look like the last one. */
export const PAGE_LIMIT = 50;

/**
 * Returns the offset of the next page; undefined after the last one. The total decides if it is
 * known. Otherwise a page shorter than its limit is the last, and so is a longer one, because its
 * console does not page. An empty page is always the last.
 */
export function nextOffset(
  offset: number,
  limit: number,
  { items, total }: { readonly items: { readonly length: number }; readonly total?: number },
): number | undefined {
  const next = offset + items.length;
  if (items.length === 0) return undefined;
  return (total === undefined ? items.length !== limit : next >= total) ? undefined : next;
}

/** Yields all items from `start` on. A repeated page ends it: the console ignores the offset. */
export async function* paged<Item>(
  fetchPage: (offset: number, limit: number) => Promise<Page<Item>>,
  limit: number = PAGE_LIMIT,
  start = 0,
): AsyncGenerator<Item, void, undefined> {
  let before: readonly Item[] | undefined;
  for (let offset: number | undefined = start; offset !== undefined;) {
    const page: Page<Item> = await fetchPage(offset, limit);
    if (isDeepStrictEqual(page.items, before)) return;
    yield* page.items;
    before = page.items;
    offset = nextOffset(offset, limit, page);
  }
}

/** Parses `Total-Count`; undefined if it is absent or not a number. */
export function parseTotalCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}
