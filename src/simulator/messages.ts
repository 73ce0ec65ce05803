/** A request as a console's handler takes it, from a port or from a caller in the same process. */
export interface ConsoleRequest {
  readonly method: string;
  /** From the console's base address, with the query: `/api/v1/containers?limit=10`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | undefined;
  /** The certificate that came with the TLS handshake, if one did. */
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** What of a client's certificate the console goes by. */
export interface ClientCertificate {
  /** Undefined where the subject has none, or several. */
  readonly subjectCN: string | undefined;
  /** Whether it was issued by the authority that the console trusts for its users. */
  readonly authorized: boolean;
}

/** What a console's handler answers. */
export interface ConsoleResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /**
   * How much of it arrives, where a fault says so: `none` (the connection is reset) or `half`
   * (announced in full, cut in the middle of the body). A caller in the same process sees the
   * whole response and has to look at this.
   */
  readonly delivered?: "none" | "half";
}

export function jsonResponse(
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): ConsoleResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body: json };
}

/** A refusal as the console words it: `{"err": "…"}`. */
export function errorResponse(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ConsoleResponse {
  return jsonResponse(status, JSON.stringify({ err: message }), headers);
}

/** Column names to what stands in them. */
type Row = Readonly<Record<string, string | number | boolean>>;

/** A table with a header; booleans as `true` and `false`. */
export async function csvResponse(
  columns: readonly string[],
  rows: readonly Row[],
): Promise<ConsoleResponse> {
  // Loaded by who downloads.
  const { stringify } = await import("csv-stringify/sync");
  const body = stringify([...rows], {
    columns: [...columns],
    header: true,
    cast: { boolean: String },
  });
  return { status: 200, headers: { "content-type": "text/csv" }, body };
}
