import { SET_BY_CONSOLE } from "../collections";
import { ApiError, ListNotWholeError, SchemaMismatchError } from "../errors";
import { isExactNumber, stringifyJson } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import { isDeepStrictEqual } from "node:util";
import type { ConsoleResponse } from "../http/response";

/*
 * Lists that are proved whole. A console may answer the first page of a list only, with or without
 * `Total-Count`, and rows may be added and removed between two pages. "Not found", "all entries" and
 * "replaced as a whole" are claims that need the whole list.
 */

/** One answer of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The number of rows of the whole list, if the console sends it (`Total-Count`). */
  readonly total?: number | undefined;
  /** The answer says that it is a part of the list. */
  readonly isPart?: boolean | undefined;
}

/** How a list is read. */
export interface ListReading<Row, Page extends ListPage<Row>> {
  /** The rows in messages, in the plural. */
  readonly what: string;
  /** The console may answer pages. Other lists have pages only if a total says so. */
  readonly mayPage: boolean;
  /** Reads one page. A console that takes no offset answers the first one, or 400 or 404. */
  readonly fetch: (offset: number) => Promise<Page>;
  /** Identifies the rows of a page. Called only if a second page is asked for. */
  readonly keysOf: (page: Page) => RowKeys;
  /** Number of rows to skip. Default: 0. */
  readonly start?: number;
  /** Ends after so many rows. Default: all. */
  readonly most?: number | undefined;
}

/** Texts that identify rows. */
export interface RowKeys {
  readonly keys: readonly string[];
  /** Two rows have different keys: names alone may be equal. */
  readonly areUnique: boolean;
}

/** A list that is proved whole. */
export interface WholeList<Row, Page> {
  readonly first: Page;
  /** Those of the first page itself, if there is no other. */
  readonly rows: readonly Row[];
}

/** A list that is not proved whole is read again so many times. */
const MOST_REPETITIONS = 3;
/** More rows than any console has; a list that goes on is an error. */
const MOST_ROWS = 1_000_000;

/**
 * Reads a list to its proved end. Each page after the first begins one row early, and that row must
 * repeat: so no row that is there throughout is passed over, whatever is added or removed meanwhile. If
 * that page repeats the first, the console takes no offset, or rounds it down to its pages: the page
 * behind the first shows which. Pages without overlap are read twice, and must be equal. An answer that
 * says that it is a part has a next page. The totals of all pages must be the number of rows, and no key
 * may be on two pages. Otherwise the list is read again, three times at most.
 *
 * @throws ListNotWholeError if it is still not proved. SchemaMismatchError if it has no end.
 */
export async function readWhole<Row, Page extends ListPage<Row>>(
  reading: ListReading<Row, Page>,
): Promise<WholeList<Row, Page>> {
  let walk = await walkPages(reading);
  for (let repetition = 0; walk.outcome !== "whole"; repetition += 1) {
    if (repetition === MOST_REPETITIONS) throw notWhole(reading.what, walk);
    const before = walk;
    walk = await walkPages(reading);
    const isSame = before.keys.join("\n") === walk.keys.join("\n");
    if (walk.outcome === "no overlap" && before.outcome === walk.outcome && isSame) return walk;
  }
  return walk;
}

interface Walk<Row, Page> extends WholeList<Row, Page> {
  readonly outcome: "whole" | "no overlap" | "changed" | "other total" | "part";
  readonly keys: readonly string[];
}

async function walkPages<Row, Page extends ListPage<Row>>(
  reading: ListReading<Row, Page>,
): Promise<Walk<Row, Page>> {
  const { mayPage, fetch, keysOf, start = 0, most = Infinity } = reading;
  const first = await fetch(start);
  const expected = first.total === undefined ? undefined : Math.max(0, first.total - start);
  const rows = [...first.rows];
  const keys: string[] = [];
  const ended = (outcome: Walk<Row, Page>["outcome"]): Walk<Row, Page> => {
    const isFirst = rows.length === first.rows.length;
    return { first, rows: isFirst ? first.rows : rows, outcome, keys };
  };
  const isUnpaged = !mayPage && first.isPart !== true;
  // The total of an earlier page may be too small.
  let isCounted = true;
  const isEnough = () =>
    rows.length >= most ||
    (expected === undefined ? isUnpaged : isCounted && rows.length === expected);
  const atEnd = (proved: "whole" | "no overlap") => {
    const isPart = rows.length < most && rows.length !== (expected ?? rows.length);
    return ended(isPart ? "other total" : proved);
  };
  if (rows.length === 0 || isEnough()) return atEnd("whole");
  const isOneRow = rows.length === 1;
  let early = isOneRow ? 0 : 1;
  let isAskedAgain = false;
  const { keys: firstKeys, areUnique } = keysOf(first);
  for (const key of firstKeys) keys.push(key);
  const seen = new Set(keys);
  let last = firstKeys;
  do {
    const isSecond = rows.length === first.rows.length;
    const next = await nextPage(fetch, start + rows.length - early);
    if (!next && !isSecond) return ended("part");
    const found = next && keysOf(next);
    const isRepeated = found && isDeepStrictEqual(found.keys, last);
    if (isRepeated && isSecond && !isAskedAgain) {
      isAskedAgain = true;
      early -= 1;
      continue;
    }
    const isRounded = early === 0 && !isOneRow;
    if (!found || (isRepeated && (isSecond || isRounded))) {
      const isCut = isSecond && first.isPart === true && expected === undefined;
      return isCut ? ended("part") : atEnd(isSecond ? "whole" : "no overlap");
    }
    if (found.keys.length === 0 && early < 1) break;
    // The answer before was the first row, and this one has a row behind it.
    if (early < 0) return ended("changed");
    const fresh = found.keys.slice(early);
    const repeats = early === 0 || found.keys[0] === keys.at(-1);
    const isTwice = areUnique && found.areUnique && fresh.some((key) => seen.has(key));
    isCounted = next.total !== undefined;
    const isOther = isCounted && next.total !== first.total;
    if (isOther || !repeats || isTwice) return ended("changed");
    if (fresh.length === 0) break;
    // Spread, a page of many rows would be too many arguments.
    for (const row of next.rows.slice(early)) rows.push(row);
    for (const key of fresh) keys.push(key);
    for (const key of fresh) seen.add(key);
    if (rows.length >= MOST_ROWS) throw endless(rows.length);
    last = found.keys;
  } while (!isEnough());
  return atEnd(early === 1 ? "whole" : "no overlap");
}

/**
 * Undefined if the console refuses the offset. If it refuses the first one, it takes none, and the list
 * has no pages. No such answer is that of a path that is missing.
 */
async function nextPage<Page>(
  fetch: (offset: number) => Promise<Page>,
  offset: number,
): Promise<Page | undefined> {
  try {
    return await fetch(offset);
  } catch (cause) {
    const isRefusal = cause instanceof ApiError && (cause.status === 400 || cause.status === 404);
    if (isRefusal) return undefined;
    throw cause;
  }
}

function notWhole<Row, Page extends ListPage<Row>>(
  what: string,
  { outcome, rows: { length }, first: { total } }: Walk<Row, Page>,
): ListNotWholeError {
  const why =
    outcome === "other total"
      ? `is not whole: the console answers ${length} rows, and its Total-Count says ${total ?? 0}.`
      : outcome === "part"
        ? `is not whole: the console answers ${length} rows, announces more, and answers no page behind them.`
        : `changes while it is read: rows were added, removed or moved between its pages each time, the last time after ${length} rows.`;
  return new ListNotWholeError(`The list of ${what} ${why}`, length, total);
}

function endless(rows: number): SchemaMismatchError {
  const message = `The console's list does not end: it sent ${rows} rows and announces more.`;
  return new SchemaMismatchError(message, []);
}

/** Members whose names say that they identify a row. */
const IDENTIFYING = /(?:id|name|key)$/i;

/**
 * Returns what identifies each element of a list: the members of its key with its ID, else all members
 * that are named as if they did, else its content.
 */
export function keysOfRows(rows: readonly unknown[], key: readonly string[] = []): RowKeys {
  return { keys: rows.map((row) => keyOfRow(row, key)), areUnique: rows.every(isRecord) };
}

/** Returns the content of each element of a list whose elements nothing identifies. */
export function contentsOfRows(rows: readonly unknown[]): RowKeys {
  return { keys: rows.map(contentOf), areUnique: false };
}

function contentOf(row: unknown): string {
  if (!isRecord(row)) return stringifyJson(row);
  return stringifyJson(Object.entries(row).filter(([name]) => !SET_BY_CONSOLE.includes(name)));
}

function keyOfRow(row: unknown, key: readonly string[]): string {
  if (!isRecord(row)) return contentOf(row);
  const id = ["_id", "id"].find((name) => isScalar(memberOf(row, name)));
  const isOwn = (name: string) => (id === undefined ? IDENTIFYING.test(name) : name === id);
  const named = Object.entries(row).filter(
    ([name, value]) => key.includes(name) || (isOwn(name) && isScalar(value)),
  );
  return named.length > 0 ? stringifyJson(named) : contentOf(row);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value) || isExactNumber(value);
}

/** Parses `Total-Count`; undefined if it is absent or not a number. A proxy may repeat the header. */
export function parseTotalCount(value: string | undefined): number | undefined {
  const [count = "", ...others] = new Set(value?.split(",").map((one) => one.trim()));
  return others.length === 0 && /^\d+$/.test(count) ? Number(count) : undefined;
}

const PARTIAL_CONTENT = 206;

/** Returns what the head of an answer says of the list that it is from. */
export function extentOf(
  answer: Pick<ConsoleResponse, "status" | "header">,
): Pick<ListPage<unknown>, "total" | "isPart"> {
  const [, ofRange] = /\/\s*(\d+)\s*$/.exec(answer.header("content-range") ?? "") ?? [];
  const total = ["total-count", "x-total-count"]
    .map((name) => parseTotalCount(answer.header(name)))
    .find((count) => count !== undefined);
  const hasNext = /;\s*rel\s*=\s*"?(?:[^";,]*\s)?next\b/i.test(answer.header("link") ?? "");
  return {
    total: total ?? parseTotalCount(ofRange),
    isPart: hasNext || answer.status === PARTIAL_CONTENT,
  };
}
