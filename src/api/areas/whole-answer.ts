import type { Caller } from "../caller";
import type { RequestOptions } from "../client-options";
import type { Collection } from "../collection-body";
import { collectionEndpoint, type CollectionRow } from "../collections";
import type { NamedEndpoint } from "../endpoint";
import type { ConsoleResponse, Rows, RowsOptions } from "../http/response";
import { isRecord, memberOf } from "../../core/member-of";
import {
  contentsOfRows,
  extentOf,
  keysOfRows,
  type ListPage,
  readWhole,
  type RowKeys,
} from "./whole-list";

/*
 * Answers of any endpoint whose lists are read through all their pages: `readWhole` proves them. A list
 * that the console sends in one answer takes one request, or two where nothing says that it has no pages.
 */

/** Reads a collection. Throws what `readWhole` throws. */
export async function readWholeCollection<Item>(
  caller: Caller,
  row: CollectionRow<Item>,
  signal: AbortSignal | undefined,
  collectionOf: (answer: ConsoleResponse) => Collection<Item>,
): Promise<Collection<Item>> {
  const target = collectionEndpoint(row.endpoints.read);
  type Page = ListPage<Item> & { readonly collection: Collection<Item> };
  const { first, rows } = await readWhole<Item, Page>({
    what: row.what,
    mayPage: target.pages ?? false,
    fetch: async (offset) => {
      const answer = await caller.request(target, { query: queryAt(offset), signal });
      const collection = collectionOf(answer);
      return { collection, rows: collection.items, ...extentOf(answer) };
    },
    // Without a key, as of policies, two items may be alike.
    keysOf: ({ rows }) => (row.key ? keysOfRows(rows, row.key) : contentsOfRows(rows)),
  });
  const { collection } = first;
  return rows === collection.items ? collection : { ...collection, items: rows };
}

/** The list of an answer, in messages and in the answer. */
export interface AnsweredList {
  readonly what: string;
  /** The member that has the list. Default: the answer, or the longest list in it. */
  readonly member?: string | undefined;
  /** See `CollectionShape.key`. */
  readonly key?: readonly string[] | undefined;
}

/** Reads the JSON of an answer with its list whole. Throws what `readWhole` throws. */
export async function readWholeJson(
  caller: Caller,
  target: NamedEndpoint,
  { what, member, key, ...options }: RequestOptions & AnsweredList,
): Promise<unknown> {
  let at = member;
  const { first, rows } = await readWhole({
    what,
    mayPage: target.pages ?? false,
    fetch: async (offset) => {
      const answer = await caller.request(target, withOffset(options, offset));
      const body = answer.json();
      at ??= longestListIn(body);
      const list = Array.isArray(body) ? body : isRecord(body) && memberOf(body, at ?? "");
      // A document without a list has no number of rows.
      if (!Array.isArray(list)) return { body, rows: [] };
      return { body, rows: list as readonly unknown[], ...extentOf(answer) };
    },
    keysOf: (page) => keysOfRows(page.rows, key),
  });
  const { body } = first;
  if (rows === first.rows) return body;
  return isRecord(body) && at !== undefined ? { ...body, [at]: rows } : rows;
}

function longestListIn(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const lists = Object.entries(body).flatMap(([name, one]) =>
    Array.isArray(one) ? [{ name, length: one.length }] : [],
  );
  return lists.sort((a, b) => b.length - a.length)[0]?.name;
}

/** Reads the list of an answer, of each element what `rowOf` returns. Throws what `readWhole` throws. */
export async function readWholeRows<Row>(
  caller: Caller,
  target: NamedEndpoint,
  { what, key, rowOf, ...options }: RequestOptions & RowsOptions<Row> & AnsweredList,
): Promise<Rows<Row>> {
  type Page = ListPage<Row> & { readonly answer: Rows<Row>; readonly keys: RowKeys };
  const { first, rows } = await readWhole<Row, Page>({
    what,
    mayPage: target.pages ?? false,
    fetch: async (offset) => {
      const elements: string[] = [];
      let areUnique = true;
      const answer = await caller.rows(target, {
        ...withOffset(options, offset),
        rowOf: (element, index) => {
          const one = keysOfRows([element], key);
          elements.push(...one.keys);
          areUnique &&= one.areUnique;
          return rowOf(element, offset + index);
        },
      });
      const { rows: list, rest } = answer;
      const keys = { keys: elements, areUnique };
      return { answer, rows: list ?? [], keys, ...(list && extentOf(rest)) };
    },
    keysOf: ({ keys }) => keys,
  });
  const { answer } = first;
  return { ...answer, rows: answer.rows && rows };
}

/** The first page is a plain request: consoles may refuse an offset where a list has no pages. */
function withOffset<Options extends RequestOptions>(options: Options, offset: number): Options {
  return { ...options, query: { ...options.query, ...queryAt(offset) } };
}

function queryAt(offset: number) {
  return offset === 0 ? {} : { offset };
}
