import { PAGE_LIMIT } from "../../api/areas/paging";
import { z } from "zod";
import { number, optional } from "../schema/attribute";

/** Attributes of a data source that reads pages; `what` names the items in the plural. */
export function pageAttributes(what: string) {
  return {
    offset: optional(number(z.int().min(0)), `Number of ${what} to skip. Default: 0.`),
    limit: optional(number(z.int().min(1)), `Maximum number of ${what} to read. Default: all.`),
  };
}

interface Page {
  readonly offset: number | null;
  readonly limit: number | null;
}

/** Sends a limit only if one page can hold it; `itemsOf` applies a larger one. */
export function pageQuery({ offset, limit }: Page) {
  return {
    offset: offset ?? undefined,
    limit: limit !== null && limit <= PAGE_LIMIT ? limit : undefined,
  };
}

/** Reads pages until the limit is reached. */
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
