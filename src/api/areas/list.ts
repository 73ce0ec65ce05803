import { z } from "zod";
import type { Caller } from "../caller";
import { checked } from "../check";
import { ENDPOINTS, type EndpointName } from "../endpoints";
import { type Page, paged, parseTotalCount } from "./paging";
import type { Query } from "../http/request-target";
import { defendedSpellings, respellMembers, type Spellings } from "./spelling";

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
    return readPages(this.caller, this.kind, query ?? {}, signal);
  }

  /** Reads one page, with the total number of matches if the console sends it. */
  page(
    query: Filter & PageQuery & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<Item>> {
    const { offset = 0, limit, ...filter }: Query & PageQuery = query;
    return readPage(this.caller, this.kind, { ...filter, offset, limit }, signal);
  }
}

/** Reads one answer. `null` is an empty list. */
export async function readPage<Item>(
  caller: Caller,
  { endpoint, what, item, spellings = {} }: ListKind<Item>,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<Page<Item>> {
  const response = await caller.request(endpoint, { query, signal });
  const known = { ...spellings, ...defendedSpellings(ENDPOINTS[endpoint], "member") };
  const body = response.json() ?? [];
  const found: unknown = Array.isArray(body)
    ? body.map((element: unknown) => respellMembers(element, known))
    : body;
  const total = parseTotalCount(response.header("total-count"));
  return {
    items: checked(z.array(item), found, what),
    ...(total !== undefined && { total }),
  };
}

/** Yields all items from the offset on, page by page, or those of one page if there is a limit. */
export async function* readPages<Item>(
  caller: Caller,
  list: ListKind<Item>,
  { offset = 0, limit, ...query }: Query & PageQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  const fetchPage = (from: number, count: number) =>
    readPage(caller, list, { ...query, offset: from, limit: count }, signal);
  if (limit === undefined) yield* paged(fetchPage, undefined, offset);
  else yield* (await fetchPage(offset, limit)).items;
}

/** Collects the items of all pages. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
