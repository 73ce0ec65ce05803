import { SchemaMismatchError } from "../errors";
import { parseJson } from "../json";
import { headerOf, type TransportResponse } from "./transport";

/** An answer with its complete body. */
export class ConsoleResponse {
  constructor(
    /** `GET https://host:port/path`, for messages. */
    readonly request: string,
    readonly status: number,
    readonly headers: TransportResponse["headers"],
    readonly body: Buffer,
  ) {}

  header(name: string): string | undefined {
    return headerOf(this.headers, name);
  }

  text(): string {
    return this.body.toString("utf8");
  }

  /** Parses the body with `parseJson`. Throws a SchemaMismatchError if it is not JSON. */
  json(): unknown {
    try {
      return parseJson(this.text());
    } catch {
      // Not kept as a cause: it quotes the body, which may contain a token.
      const type = this.header("content-type") ?? "no content type";
      throw new SchemaMismatchError(
        `${this.request} answered ${this.status} with ${this.body.length} bytes of ${type} that are not JSON. Is this the console's address?`,
        [],
      );
    }
  }
}

/** Reads an answer to its end. */
export async function readResponse(
  request: string,
  { status, headers, body }: TransportResponse,
): Promise<ConsoleResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
}

const REFUSAL_LIMIT = 64 * 1024;

/** Reads the first 64 KiB of an error's answer. A body that breaks off is cut. */
export async function readRefusal(
  request: string,
  { status, headers, body }: TransportResponse,
): Promise<ConsoleResponse> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, REFUSAL_LIMIT - length));
      length += chunk.length;
      if (length >= REFUSAL_LIMIT) break;
    }
  } catch {
    // The body broke off; the status is known.
  }
  return new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
}
