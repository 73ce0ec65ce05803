import type { z } from "zod";
import type { EndpointName } from "../api/endpoints";
import { parseJson } from "../api/json";
import type { Release } from "../api/release";
import type { Inventory } from "./inventory";
import { errorResponse, jsonResponse, type ConsoleRequest, type ConsoleResponse } from "./messages";
import type { PasswordHash } from "./passwords";
import type { ConsoleState } from "./state";
import type { TokenIssuer } from "./authentication";

/** What a handler works with. Refusals of path, method, caller and license are over by then. */
export interface RouteContext {
  readonly request: ConsoleRequest;
  /** What stands in place of the path's braces. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly release: Release;
  readonly state: ConsoleState;
  readonly tokens: TokenIssuer;
  /** Hashes as the console needs it: slowly where its state is stored. */
  readonly hashPassword: (password: string) => PasswordHash | Promise<PasswordHash>;
  /** The user who asks; "" where an endpoint takes no authorization. */
  readonly caller: string;
  readonly now: Date;
  /** Made at the first call, so that only who needs it waits for it. */
  readonly inventory: () => Inventory;
}

export type Handler = (context: RouteContext) => ConsoleResponse | Promise<ConsoleResponse>;

/** The handlers of one area. */
export type Handlers = Readonly<Partial<Record<EndpointName, Handler>>>;

/** What every write answers. */
export const DONE = jsonResponse(200, "{}");

/**
 * A handler whose body must match a schema; anything else is answered 400, with the first place
 * that does not fit. The handler gets the body as it was sent, not a copy made by the schema.
 * `unwrap` is for a body of several forms: it brings them to the one that the schema describes.
 */
export function withBody<T>(
  schema: z.ZodType<T, T>,
  handle: (context: RouteContext, body: T) => ConsoleResponse | Promise<ConsoleResponse>,
  unwrap: (body: unknown) => unknown = (body) => body,
): Handler {
  return (context) => {
    let body: unknown;
    try {
      body = unwrap(parseJson(context.request.body ?? ""));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return errorResponse(400, `the body is not JSON: ${why}`);
    }
    return accepts(schema, body)
      ? handle(context, body)
      : errorResponse(400, complaintAbout(schema, body));
  };
}

function accepts<T>(schema: z.ZodType<T, T>, body: unknown): body is T {
  return schema.safeParse(body).success;
}

function complaintAbout(schema: z.ZodType, body: unknown): string {
  const issue = schema.safeParse(body).error?.issues[0];
  return issue ? `${formatPath(issue.path)}: ${issue.message}` : "";
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${String(step)}`),
    "body",
  );
}

const serialised = new WeakMap<readonly unknown[], ConsoleResponse>();

/** The answer for a collection; made once, as collections are replaced and never changed. */
export function collectionResponse<Item>(
  collection: readonly Item[],
  toJson: (collection: readonly Item[]) => string,
): ConsoleResponse {
  const known = serialised.get(collection);
  if (known) return known;
  const response = jsonResponse(200, toJson(collection));
  serialised.set(collection, response);
  return response;
}
