import { z } from "zod";
import type { Caller } from "../caller";
import { checked, checkedList } from "../check";
import { ENDPOINTS, type EndpointName } from "../endpoints";
import type { Query } from "../http/request-target";
import { isRecord } from "../../core/member-of";
import { otherTerm } from "../other-release";
import { defendedSpellings, respellMembers, type Spellings } from "./spelling";
import { extentOf, keysOfRows, readWhole, type ListPage, type RowKeys } from "./whole-list";

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
  /** Ends at the page that has this many items. Default: all items. */
  most?: number | undefined;
}>;

/** A list that the console returns in pages, with the filters that it takes. */
export class PagedList<Item, Filter extends Query> {
  constructor(
    protected readonly caller: Caller,
    private readonly kind: ListKind<Item>,
  ) {}

  /**
   * Lists all items that match, or one page with a `limit`. The first item comes when all pages are
   * read: only then is the list known to be whole. Throws a ListNotWholeError otherwise.
   */
  async *list(
    query?: Filter & PageQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<Item, void, undefined> {
    yield* await readRows(this.caller, wholeItems(this.kind), query ?? {}, signal);
  }

  /** Like `list`, and keeps only a row of each item: items can be much larger. */
  async *rows<Row>(
    query: Filter & PageQuery,
    rowOf: (item: Item) => Row,
    signal?: AbortSignal,
  ): AsyncGenerator<Row, void, undefined> {
    yield* await readRows(this.caller, { ...this.kind, rowOf }, query, signal);
  }

  /** Reads one page, with the total number of matches if the console sends it. */
  async page(
    query: Filter & Pick<PageQuery, "offset"> & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<Item>> {
    const { offset = 0, limit, ...filter }: Query & PageQuery = query;
    const page = await readPage(
      this.caller,
      wholeItems(this.kind),
      { ...filter, offset, limit },
      signal,
    );
    return { items: page.rows, ...(page.total !== undefined && { total: page.total }) };
  }
}

/** One page of a list, with the total number of items if the console sends it (`Total-Count`). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total?: number;
}

/** A list, and what is kept of each item. */
export interface RowKind<Item, Row> extends ListKind<Item> {
  readonly rowOf: (item: Item) => Row;
}

/** The list with all that its items have. */
export function wholeItems<Item>(kind: ListKind<Item>): RowKind<Item, Item> {
  return { ...kind, rowOf: (item) => item };
}

interface KeyedPage<Row> extends ListPage<Row> {
  readonly keys: RowKeys;
}

/** Reads one answer. `null` is an empty list. */
async function readPage<Item, Row>(
  caller: Caller,
  { endpoint, what, item, spellings = {}, rowOf }: RowKind<Item, Row>,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<KeyedPage<Row>> {
  const known = { ...spellings, ...defendedSpellings(ENDPOINTS[endpoint], "member") };
  const keys: RowKeys[] = [];
  const namesTerm = ENDPOINTS[endpoint].defended?.includes("member") === true;
  const { rows, rest } = await caller.rows(endpoint, {
    query,
    signal,
    rowOf: (element, index) => {
      keys.push(keysOfRows([element]));
      if (namesTerm && isRecord(element)) {
        const other = otherTerm(Object.keys(element), caller.release.assumed);
        caller.release.notice(other, query.defended !== undefined);
      }
      return rowOf(checked(item, respellMembers(element, known), what, [index]));
    },
  });
  return {
    // Without a list it is null, or of an unexpected form.
    rows: rows ?? checkedList(z.never(), rest.json() ?? [], what),
    ...extentOf(rest),
    keys: {
      keys: keys.flatMap((one) => one.keys),
      areUnique: keys.every(({ areUnique }) => areUnique),
    },
  };
}

/** Consoles cap `limit` at 50; a page that was cut short would look like the last one. */
export const PAGE_LIMIT = 50;

/** Reads all rows from the offset on, or those of one page if there is a limit. Throws what `readWhole` throws. */
export async function readRows<Item, Row>(
  caller: Caller,
  kind: RowKind<Item, Row>,
  { offset = 0, limit, most, ...query }: Query & PageQuery,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const { pages: mayPage = false } = ENDPOINTS[kind.endpoint];
  const fetch = (from: number, count = PAGE_LIMIT) => {
    const page = mayPage || from > 0 ? { offset: from, limit: count } : {};
    return readPage(caller, kind, { ...query, ...page }, signal);
  };
  if (limit !== undefined) return (await fetch(offset, limit)).rows;
  const { rows } = await readWhole<Row, KeyedPage<Row>>({
    ...kind,
    mayPage,
    start: offset,
    most,
    fetch: (from) => fetch(from),
    keysOf: ({ keys }) => keys,
  });
  return rows;
}

/** Collects the items of all pages. */
export async function collectItems<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
