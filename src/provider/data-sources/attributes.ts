import { isExactNumber, toNumber } from "../../core/json/lossless-json";
import { parseTimestamp } from "../../api/areas/timestamp";
import { canonicalJson } from "../collections/members";
import { computed, string, type Kind, number, optional } from "../../core/schema/attribute";
import { PAGE_LIMIT } from "../../api/areas/list";
import { z } from "zod";

/** JSON without a specified shape, as canonical text. */
export const jsonAttribute = (what: string) =>
  computed(
    string(),
    `${what}, as JSON with members sorted by name. Decode it with \`jsondecode\`.`,
  );

export const jsonText = canonicalJson;

/** Converts a time to ISO 8601; returns any other value as text. */
export function timeText(found: string | object | number | null | undefined): string | null {
  if (found === null || found === undefined) return null;
  const time = parseTimestamp(found);
  if (time) return time.toISOString();
  return typeof found === "string" ? found : canonicalJson(found);
}

/** An attribute for a member that consoles send although it is not in the specification. */
export const knownAttribute = <K extends Kind>(type: K, what: string) =>
  computed(
    type,
    `${what} Null if the console does not send it: the member is not in the specification.`,
  );

/** Returns a non-empty string; null for any other value. */
export function textOf(found: unknown): string | null {
  return typeof found === "string" && found !== "" ? found : null;
}

/** Returns a number in any spelling; null for any other value. */
export function numberOf(found: unknown): number | null {
  return typeof found === "number" || isExactNumber(found) ? toNumber(found) : null;
}

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
  const isPage = limit !== null && limit <= PAGE_LIMIT;
  return {
    offset: offset ?? undefined,
    ...(isPage ? { limit } : { most: limit ?? undefined }),
  };
}

/** Reads pages until the limit is reached. */
export async function itemsOf<Row>(
  { limit }: Page,
  items: AsyncIterable<Row>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of items) {
    rows.push(row);
    if (rows.length === limit) break;
  }
  return rows;
}
