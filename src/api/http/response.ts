import { SchemaMismatchError } from "../errors";
import { parseJson } from "../json";
import { headerOf, type TransportResponse } from "./transport";

/** An answer, read to its end. */
export class ConsoleResponse {
  constructor(
    /** `GET https://host:port/path`: what it answers, for messages. */
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

  /** The body as JSON, numbers as `parseJson` leaves them; a SchemaMismatchError if it is none. */
  json(): unknown {
    try {
      return parseJson(this.text());
    } catch {
      // Not kept as a cause: it quotes the body, which may hold a token.
      const type = this.header("content-type") ?? "no content type";
      throw new SchemaMismatchError(
        `${this.request} answered ${this.status} with ${this.body.length} bytes of ${type} that are no JSON. Is this the console's address?`,
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

/**
 * Reads what comes of the first 64 KiB of an answer that is not the one wanted: its status is worth
 * knowing even if the body breaks off.
 */
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
    // Broken off; the status says enough.
  }
  return new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
}
