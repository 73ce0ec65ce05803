import { parseJson } from "../core/json/lossless-json";
import { isDocument } from "./documents";
import { jsonResponse, type ConsoleRequest, type SimulatedResponse } from "./messages";
import { pageSchema, queryParameters } from "./query";

/** Pages in which a console answers its lists, by `offset` and `limit`. */
export interface Pages {
  /** The most rows of a page. */
  readonly size: number;
  /**
   * Sends `Total-Count`. Without it only lists have pages that the client does not take for whole:
   * nothing would show that others lack rows. Default: true.
   */
  readonly hasTotal?: boolean | undefined;
}

/**
 * Returns the page of a list that a request asks for: of the answer itself, or of the only list in it.
 * All other answers are returned as they are.
 *
 * @param mayPage The client does not take the list for whole.
 */
export function pageOf(
  answer: SimulatedResponse,
  request: ConsoleRequest,
  { size, hasTotal = true }: Pages,
  mayPage: boolean,
): SimulatedResponse {
  const isJson = answer.headers["content-type"] === "application/json";
  if (request.method !== "GET" || answer.status !== 200 || !isJson) return answer;
  if (!mayPage && !hasTotal) return answer;
  const body = parseJson(String(answer.body));
  const lists = isDocument(body)
    ? Object.entries(body).filter(([, value]) => Array.isArray(value))
    : [];
  const [[member, value] = ["", body]] = lists.length === 1 ? lists : [];
  if (!Array.isArray(value)) return answer;
  const rows: readonly unknown[] = value;
  const { "total-count": total, ...headers } = answer.headers;
  const query = queryParameters(request);
  const { offset: from, limit } = pageSchema.safeParse(query).data ?? { offset: 0, limit: size };
  // A list with a total was cut already.
  const offset = total === undefined ? from : 0;
  const most = query.limit === undefined ? size : Math.min(limit, size);
  const page = rows.slice(offset, offset + most);
  return jsonResponse(200, isDocument(body) ? { ...body, [member]: page } : page, {
    ...headers,
    ...(hasTotal && { "total-count": total ?? String(rows.length) }),
  });
}
