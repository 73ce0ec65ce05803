import { SchemaMismatchError } from "./errors";
import { parseBody } from "./json";
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

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  header(name: string): string | undefined {
    return headerOf(this.headers, name);
  }

  text(): string {
    return this.body.toString("utf8");
  }

  /** The body as JSON, numbers as `parseBody` leaves them; a SchemaMismatchError if it is none. */
  json(): unknown {
    try {
      return parseBody(this.text());
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

/** How much of an error's body is read. */
const ERROR_LIMIT = 64 * 1024;

/**
 * Reads the answer. Of an error it takes what comes of the first 64 KiB: the status is worth
 * knowing even if the body breaks off.
 */
export async function readResponse(
  request: string,
  response: TransportResponse,
): Promise<ConsoleResponse> {
  const { status, headers } = response;
  const chunks: Uint8Array[] = [];
  const done = () => new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
  if (status >= 200 && status < 300) {
    for await (const chunk of response.body) chunks.push(chunk);
    return done();
  }
  let length = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk.subarray(0, ERROR_LIMIT - length));
      length += chunk.length;
      if (length >= ERROR_LIMIT) break;
    }
  } catch {
    // Broken off; the status says enough.
  }
  return done();
}
