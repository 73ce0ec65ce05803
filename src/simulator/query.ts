import { z } from "zod";
import {
  errorResponse,
  jsonResponse,
  type ConsoleRequest,
  type SimulatedResponse,
} from "./messages";
import type { Handler, RouteContext } from "./route";

/** Maximum size of a page. */
const MOST_PAGE_ITEMS = 50;

const count = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number, 0 or more")
  .transform(Number);

/** Query parameters of a paged list. */
export const pageSchema = z.object({
  offset: count.default(0),
  limit: count.transform((limit) => Math.min(limit, MOST_PAGE_ITEMS)).default(MOST_PAGE_ITEMS),
});
export type QueriedPage = z.infer<typeof pageSchema>;

export const flagParameter = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");

/**
 * Creates a handler whose query must match a schema; others are answered 400. Unknown parameters
 * are ignored; the last of a repeated parameter counts.
 */
export function withQuery<T>(
  schema: z.ZodType<T> | ((context: RouteContext) => z.ZodType<T>),
  handle: (context: RouteContext, query: T) => SimulatedResponse | Promise<SimulatedResponse>,
): Handler {
  return (context) => {
    const expected = typeof schema === "function" ? schema(context) : schema;
    const result = expected.safeParse(queryParameters(context.request));
    if (result.success) return handle(context, result.data);
    const [issue] = result.error.issues;
    return errorResponse(400, `query ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  };
}

/** The parameters of a query; the last one of a name. */
export function queryParameters({
  path,
}: Pick<ConsoleRequest, "path">): Readonly<Record<string, string>> {
  const start = path.indexOf("?");
  return start < 0 ? {} : Object.fromEntries(new URLSearchParams(path.slice(start)));
}

/** Returns one page of a list, with the total number of items in `Total-Count`. */
export function pageResponse<Item>(
  items: readonly Item[],
  { offset, limit }: QueriedPage,
  toRecord: (item: Item) => unknown,
): SimulatedResponse {
  const records = items.slice(offset, offset + limit).map(toRecord);
  return jsonResponse(200, records, { "total-count": String(items.length) });
}
