import { PAGE_LIMIT } from "../../api/areas/paging";
import { z } from "zod";
import { number, optional } from "../schema/attribute";

/** What a data source takes that reads a list with pages; `what` in the plural. */
export function pageAttributes(what: string) {
  return {
    offset: optional(
      number(z.int().min(0)),
      `How many ${what} to leave out at the beginning; none where it is not set.`,
    ),
    limit: optional(number(z.int().min(1)), `At most so many ${what}; all where it is not set.`),
  };
}

interface Page {
  readonly offset: number | null;
  readonly limit: number | null;
}

/** A limit that the console may cut is not sent: it is kept here, over several pages. */
export function pageQuery({ offset, limit }: Page) {
  return {
    offset: offset ?? undefined,
    limit: limit !== null && limit <= PAGE_LIMIT ? limit : undefined,
  };
}

/** Fetches no page behind the last item that is wanted. */
export async function itemsOf<Item>(
  { limit }: Page,
  items: AsyncIterable<Item>,
): Promise<readonly Item[]> {
  const wanted: Item[] = [];
  for await (const item of items) {
    wanted.push(item);
    if (wanted.length === limit) break;
  }
  return wanted;
}
