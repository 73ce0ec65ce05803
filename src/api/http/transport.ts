/**
 * Sends requests to a console. The default is undici over HTTPS (`openTransport`); a handler in the
 * same process can replace it.
 *
 * A transport resolves with every status. It rejects if there is no answer: with `NothingSent` if
 * the request was certainly not sent, otherwise with any other error.
 */
import { memberOf } from "../../core/member-of";

export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** One HTTP request to send. */
export interface TransportRequest {
  readonly method: string;
  /** Origin form: the path prefix of the base URL, the endpoint's path, `?` and the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** An answer whose body has not been read. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Can be read once, to its end or not at all. Throws if the answer breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Returns a header's value; several values are joined by commas. */
export function headerOf(headers: TransportResponse["headers"], name: string): string | undefined {
  const value = memberOf(headers, name);
  return typeof value === "object" ? value.join(", ") : value;
}
