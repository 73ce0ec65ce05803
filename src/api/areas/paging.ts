import { isDeepStrictEqual } from "node:util";

/** One page of a list, and the number of all items where the console says it (`Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
}

/** The console is known to cap `limit` here; a page that it cut would look like the last one. */
export const PAGE_LIMIT = 50;

/**
 * Where the next page starts; undefined after the last one. The total decides where it is known,
 * else a page that is shorter than its limit is the last, and one that is longer: its console has
 * no pages. An empty one always is.
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

/**
 * All items from `start` on, page by page, as they are asked for. A page that comes twice ends it:
 * its console does not heed the offset.
 */
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

/** `Total-Count`; undefined when it is absent or no number. */
export function parseTotalCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}
