/**
 * How a request reaches a console. The default is undici over HTTPS (`openTransport`); another
 * one, such as a handler called in process, can stand in its place.
 *
 * A transport answers whatever the status is. It rejects when there is no answer: with a
 * `NothingSent` when the request certainly did not go out, else with any other error.
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** One HTTP request, ready to be sent. */
export interface TransportRequest {
  readonly method: string;
  /** Origin form: the base URL's path prefix, the endpoint's path, `?` and the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** What came back, its body still to be read. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Read once, to its end or not at all. It fails when the answer breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** No connection came about, so the request may be sent again whatever it does. */
export class NothingSent extends Error {
  override readonly name = "NothingSent";

  constructor(cause: unknown) {
    super("no connection", { cause });
  }
}

/** The header's value; several of one name are joined by commas. */
export function headerOf(headers: TransportResponse["headers"], name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value.join(", ") : value;
}
