import type { JsonObject } from "./json";
import type { Answer, Pages } from "./options";

const PAGED = ["cloud-scan-rules", "hosts", "images", "containers", "serverless"];

/** Answers a list in pages, or whole where its path has none. An empty list is `null` where it is whole. */
export function answerList(
  path: string,
  rows: readonly JsonObject[],
  query: URLSearchParams,
  { size = 50, totalCount = true, rounds = false, paths = PAGED, unpaged = "ignored" }: Pages = {},
): Answer {
  const hasPages = size !== Infinity && (paths.includes(path) || paths.includes("*"));
  if (!hasPages) {
    if (query.has("offset") && unpaged !== "ignored") {
      return { status: unpaged, json: { err: "offset is no parameter of this list" } };
    }
    return { status: 200, json: rows.length > 0 ? rows : null };
  }
  const asked = Number(query.get("offset") ?? 0);
  const limit = Math.min(Number(query.get("limit") ?? size) || size, size);
  const offset = rounds ? asked - (asked % limit) : asked;
  const claimed = rows.length + (typeof totalCount === "object" ? totalCount.plus : 0);
  return {
    status: 200,
    json: rows.slice(offset, offset + limit),
    ...(totalCount !== false && { headers: { "Total-Count": String(claimed) } }),
  };
}
