/** One page of a list, and the number of all items where the console says it (`Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
}

/** The console is known to cap `limit` here; a page that it cut would look like the last one. */
export const PAGE_LIMIT = 50;

/**
 * Where the next page starts; undefined after the last one. The total decides where it is known,
 * else a page that is shorter than its limit is the last; an empty one always is.
 */
export function nextOffset(
  offset: number,
  limit: number,
  { items, total }: { readonly items: { readonly length: number }; readonly total?: number },
): number | undefined {
  const next = offset + items.length;
  if (items.length === 0) return undefined;
  return (total === undefined ? items.length < limit : next >= total) ? undefined : next;
}

/** All items, page by page, as they are asked for. */
export async function* paged<Item>(
  fetchPage: (offset: number, limit: number) => Promise<Page<Item>>,
  limit: number = PAGE_LIMIT,
): AsyncGenerator<Item, void, undefined> {
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: Page<Item> = await fetchPage(offset, limit);
    yield* page.items;
    offset = nextOffset(offset, limit, page);
  }
}

/** `Total-Count`; undefined when it is absent or no number. */
export function parseTotalCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}
