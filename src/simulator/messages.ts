import type { EndpointName } from "../api/endpoints";
import { stringifyJson } from "../core/json/lossless-json";

/** A request to a console, from a port or from the same process. */
export interface ConsoleRequest {
  readonly method: string;
  /** From the console's base address, with the query: `/api/v1/containers?limit=10`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | undefined;
  /** The certificate of the TLS handshake, if there was one. */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** The parts of a client's certificate that the console evaluates. */
export interface ClientCertificate {
  /** Undefined if the subject has no CN, or several. */
  readonly subjectCN: string | undefined;
  /** True if the authority that the console trusts for its users issued it. */
  readonly authorized: boolean;
}

/** A logged request, without body, headers and query. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  /** Undefined if the release has no such endpoint. */
  readonly endpoint: EndpointName | undefined;
  /** Status of the answer, even if a fault cut it off. */
  readonly status: number;
  /** Set if a fault cut the answer off. */
  readonly delivered?: "none" | "half";
}

/** An answer of a console. */
export interface SimulatedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /**
   * The part that arrives if a fault cuts the answer off: `none` (the connection is reset) or
   * `half` (announced in full, cut in the middle of the body). Callers in the same process get the
   * whole response and have to check this.
   */
  readonly delivered?: "none" | "half";
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse {
  const body = stringifyJson(value);
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/** Creates a refusal in the console's form: `{"err": "…"}`. */
export function errorResponse(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): SimulatedResponse {
  return jsonResponse(status, { err: message }, headers);
}

/** Values by column name. */
type Row = Readonly<Record<string, string | number | boolean>>;

/** Formats a table with a header; booleans as `true` and `false`. */
export async function csvResponse(
  columns: readonly string[],
  rows: readonly Row[],
): Promise<SimulatedResponse> {
  // Loaded for downloads only.
  const { stringify } = await import("csv-stringify/sync");
  const body = stringify([...rows], {
    columns: [...columns],
    header: true,
    cast: { boolean: String },
  });
  return { status: 200, headers: { "content-type": "text/csv" }, body };
}
