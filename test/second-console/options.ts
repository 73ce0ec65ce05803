import type { Json, JsonObject } from "./json";
import type { Content } from "./world";

/** Limits of writes, as consoles have them. A write beyond one is answered with 429. */
export interface WriteLimits {
  /** The least time between two writes is a minute divided by it. */
  readonly perMinute?: number;
  /** Writes in `windowMs` milliseconds (60,000). */
  readonly perWindow?: number;
  readonly windowMs?: number;
  /** `Retry-After`, in seconds. Default: no such header. */
  readonly retryAfter?: number;
  /** Default: JSON. */
  readonly body?: "json" | "html" | "empty";
}

/** How lists are answered in pages. */
export interface Pages {
  /** Rows of a page, and the largest `limit`. Default: 50. Infinity: lists are answered whole. */
  readonly size?: number;
  /** The `Total-Count` header. Default: true; `{ plus: 3 }` claims three rows that do not exist. */
  readonly totalCount?: boolean | { readonly plus: number };
  /** An offset is rounded down to the beginning of a page. */
  readonly rounds?: boolean;
  /** Paths that have pages. Default: cloud-scan-rules, hosts, images, containers, serverless. `*` is every list. */
  readonly paths?: readonly string[];
  /** Answer to `offset` at a path that has no pages. Default: it is ignored. */
  readonly unpaged?: "ignored" | 400 | 404;
}

/** A request as the log has it. */
export interface LoggedRequest {
  readonly method: string;
  /** Below `/api/v1/`, as it came: encoded, without the query. */
  readonly path: string;
  /** With `?`, or "". */
  readonly query: string;
  readonly project: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An answer: a status, JSON or bytes, and headers. */
export interface Answer {
  readonly status: number;
  readonly json?: Json | undefined;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Habits of the console. All are data but `intercept`. */
export interface SecondConsoleOptions {
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** In front of `/api/v1`, as in `/team`. */
  readonly prefix?: string;
  /** Requests with another `?project=` are answered with 404. Default: every name is a project. */
  readonly projects?: readonly string[];
  /** Content of the first project, `Central Console`. */
  readonly content?: Partial<Content>;
  /** Content of other projects. */
  readonly contentOf?: Readonly<Record<string, Partial<Content>>>;
  readonly pages?: Pages;
  readonly writes?: WriteLimits;
  /** Rows of hosts, images and containers. Default: 120. */
  readonly rows?: number;
  /** Members that a write of a path refuses with 400. Default: `caExpiration` of `settings/certs`. */
  readonly readOnly?: Readonly<Record<string, readonly string[]>>;
  /** Paths whose writes are answered with 400 and the body that was sent. `METHOD path` or `path`. */
  readonly repeatsBody?: readonly string[];
  /** Paths that do not exist: 404, with a page of HTML. */
  readonly missing?: readonly string[];
  /** Answers of GETs as bytes, which need not be UTF-8: `caf\xe9` is sent as Latin-1. */
  readonly latin1?: Readonly<Record<string, string>>;
  /** Decodes a path before it splits it, so that `%2F` in a name is a slash. */
  readonly decodesSlashes?: boolean;
  /** The only method that writes documents. Default: PUT and POST. */
  readonly documentMethod?: "PUT" | "POST";
  /** A PUT changes a role at its own path. Default: at the path of the list. */
  readonly rolesByPath?: boolean;
  /** A member that runtime policies must not have: 400. */
  readonly unknownRuntimeMember?: string;
  /** POST of an alert profile needs an `_id`. */
  readonly profileNeedsId?: boolean;
  /** Defenders need `containerRuntime`. */
  readonly defenderNeedsRuntime?: boolean;
  /** The name of `defended` in answers. Default: `protected`, that of releases up to 20.12. */
  readonly defendedTerm?: "protected" | "defended";
  /** Life of a token. Default: one hour. */
  readonly tokenMs?: number;
  /** Credentials that are accepted. Default: any. */
  readonly password?: string;
  /**
   * Answers in place of the console, or changes the content before it answers: for rows that come
   * and go between two pages, and for faults.
   */
  readonly intercept?: (request: LoggedRequest, content: Content) => Answer | undefined;
}

export type { Json, JsonObject };
