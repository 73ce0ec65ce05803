import { z } from "zod";
import type { Caller } from "../caller";
import { checked, checkedList } from "../check";
import { ENDPOINTS, type EndpointName } from "../endpoints";
import { SchemaMismatchError } from "../errors";
import type { Query } from "../http/request-target";
import { defendedSpellings, respellMembers, type Spellings } from "./spelling";
import { isDeepStrictEqual } from "node:util";

/** A list that an endpoint returns. */
export interface ListKind<Item> {
  readonly endpoint: EndpointName;
  readonly what: string;
  readonly item: z.ZodType<Item, Item>;
  /** Renames members of the items, in addition to `defended`. */
  readonly spellings?: Spellings;
}

/** A page of a list. Default: the whole list. */
export type PageQuery = Readonly<{
  /** Number of items to skip. Default 0. */
  offset?: number | undefined;
  /** Size of the page, which the console may cap. Default: all items. */
  limit?: number | undefined;
}>;

/** A list that the console returns in pages, with the filters that it takes. */
export class PagedList<Item, Filter extends Query> {
  constructor(
    protected readonly caller: Caller,
    private readonly kind: ListKind<Item>,
  ) {}

  /** Lists all items that match, fetching pages on demand, or one page with a `limit`. */
  list(query?: Filter & PageQuery, signal?: AbortSignal): AsyncGenerator<Item, void, undefined> {
    return readPages(this.caller, this.kind, query ?? {}, (item) => item, signal);
  }

  /** Like `list`, and keeps only a row of each item: items can be much larger. */
  rows<Row>(
    query: Filter & PageQuery,
    rowOf: (item: Item) => Row,
    signal?: AbortSignal,
  ): AsyncGenerator<Row, void, undefined> {
    return readPages(this.caller, this.kind, query, rowOf, signal);
  }

  /** Reads one page, with the total number of matches if the console sends it. */
  page(
    query: Filter & PageQuery & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<Item>> {
    const { offset = 0, limit, ...filter }: Query & PageQuery = query;
    return readPage(this.caller, this.kind, { ...filter, offset, limit }, (item) => item, signal);
  }
}

/** Reads one answer, of each item what `rowOf` returns. `null` is an empty list. */
export async function readPage<Item, Row>(
  caller: Caller,
  { endpoint, what, item, spellings = {} }: ListKind<Item>,
  query: Query,
  rowOf: (item: Item) => Row,
  signal: AbortSignal | undefined,
): Promise<Page<Row>> {
  const known = { ...spellings, ...defendedSpellings(ENDPOINTS[endpoint], "member") };
  const { rows, rest, digest } = await caller.rows(endpoint, {
    query,
    signal,
    rowOf: (element, index) => rowOf(checked(item, respellMembers(element, known), what, [index])),
  });
  const total = parseTotalCount(rest.header("total-count"));
  return {
    // Without a list it is null, or of an unexpected form.
    items: rows ?? checkedList(z.never(), rest.json() ?? [], what),
    digest,
    ...(total !== undefined && { total }),
  };
}

/** Yields all items from the offset on, page by page, or those of one page if there is a limit. */
export async function* readPages<Item, Row>(
  caller: Caller,
  list: ListKind<Item>,
  { offset = 0, limit, ...query }: Query & PageQuery,
  rowOf: (item: Item) => Row,
  signal: AbortSignal | undefined,
): AsyncGenerator<Row, void, undefined> {
  const fetchPage = (from: number, count: number) =>
    readPage(caller, list, { ...query, offset: from, limit: count }, rowOf, signal);
  if (limit === undefined) yield* paged(fetchPage, undefined, offset);
  else yield* (await fetchPage(offset, limit)).items;
}

/** Collects the items of all pages. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** One page of a list, with the total number of items if the console sends it (`Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
  /** A hash of the answer: items of different answers may have equal rows. */
  readonly digest?: string;
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

/** More items than any console has; a list that goes on is an error. */
const MOST_LIST_ITEMS = 1_000_000;

/**
 * Yields all items from `start` on. A repeated page ends it: the console ignores the offset. Throws
 * a SchemaMismatchError after `most` items.
 */
export async function* paged<Item>(
  fetchPage: (offset: number, limit: number) => Promise<Page<Item>>,
  limit: number = PAGE_LIMIT,
  start = 0,
  most = MOST_LIST_ITEMS,
): AsyncGenerator<Item, void, undefined> {
  let before: unknown;
  for (let offset: number | undefined = start; offset !== undefined;) {
    const page: Page<Item> = await fetchPage(offset, limit);
    const content = page.digest ?? page.items;
    if (isDeepStrictEqual(content, before)) return;
    yield* page.items;
    before = content;
    offset = nextOffset(offset, limit, page);
    if (offset !== undefined && offset - start >= most) {
      throw new SchemaMismatchError(
        `The console's list does not end: it sent ${most} items and announces more.`,
        [],
      );
    }
  }
}

/** Parses `Total-Count`; undefined if it is absent or not a number. */
export function parseTotalCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : undefined;
}
