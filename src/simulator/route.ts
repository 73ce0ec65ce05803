import type { z } from "zod";
import type { EndpointName } from "../api/endpoints";
import { parseJson } from "../core/json/lossless-json";
import type { Release } from "../api/release";
import type { Inventory } from "./inventory";
import {
  errorResponse,
  jsonResponse,
  type ConsoleRequest,
  type SimulatedResponse,
} from "./messages";
import type { PasswordHash } from "./passwords";
import type { ConsoleState } from "./console-state";
import type { TokenIssuer } from "./authentication";

/** Context of a handler. Path, method, caller and license have been checked. */
export interface RouteContext {
  readonly request: ConsoleRequest;
  /** Values of the path's parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly release: Release;
  readonly state: ConsoleState;
  readonly tokens: TokenIssuer;
  /** Hashes a password; slowly on a console that stores its state. */
  readonly hashPassword: (password: string) => PasswordHash | Promise<PasswordHash>;
  /** The user who sends the request; "" if the endpoint requires no authorization. */
  readonly caller: string;
  readonly now: Date;
  /** Answers policies in an object with `rules`. */
  readonly policyEnvelope: boolean;
  /** Created at the first call. */
  readonly inventory: () => Inventory;
}

export type Handler = (context: RouteContext) => SimulatedResponse | Promise<SimulatedResponse>;

/** The handlers of one area. */
export type Handlers = Readonly<Partial<Record<EndpointName, Handler>>>;

/** Answer of every write but the license: real consoles send no body. */
export const DONE: SimulatedResponse = { status: 200, headers: {}, body: "" };

/**
 * Creates a handler whose body must match a schema; others are answered 400 with the first place
 * that does not. The handler receives the body as sent, not the schema's copy.
 *
 * @param unwrap Converts other forms of the body to the one of the schema.
 */
export function withBody<T>(
  schema: z.ZodType<T, T>,
  handle: (context: RouteContext, body: T) => SimulatedResponse | Promise<SimulatedResponse>,
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
      : errorResponse(400, firstProblem(schema, body));
  };
}

function accepts<T>(schema: z.ZodType<T, T>, body: unknown): body is T {
  return schema.safeParse(body).success;
}

function firstProblem(schema: z.ZodType, body: unknown): string {
  const issue = schema.safeParse(body).error?.issues[0];
  return issue ? `${formatPath(issue.path)}: ${issue.message}` : "";
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${String(step)}`),
    "body",
  );
}

const serialised = new WeakMap<readonly unknown[], SimulatedResponse>();

/** Returns the answer for a collection; cached, because collections are never changed in place. */
export function collectionResponse<Item>(
  collection: readonly Item[],
  toBody: (collection: readonly Item[]) => unknown = (items) => items,
): SimulatedResponse {
  const known = serialised.get(collection);
  if (known) return known;
  const response = jsonResponse(200, toBody(collection));
  serialised.set(collection, response);
  return response;
}
