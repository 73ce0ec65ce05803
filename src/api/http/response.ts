import { SchemaMismatchError, TimeoutError } from "../errors";
import { parseJson } from "../../core/json/lossless-json";
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

/** Bounds of an answer that is read into memory; downloads have none. */
export const ANSWER_BOUNDS = { bytes: 128 * 1024 * 1024, milliseconds: 300_000 } as const;

/**
 * Reads an answer to its end. Throws a SchemaMismatchError or a TimeoutError for one beyond
 * `ANSWER_BOUNDS`, so that no server can fill the memory or hold up the run.
 *
 * @param now Milliseconds, for the bound.
 */
export async function readResponse(
  request: string,
  { status, headers, body }: TransportResponse,
  { now }: Clock,
): Promise<ConsoleResponse> {
  const { bytes, milliseconds } = ANSWER_BOUNDS;
  const chunks: Uint8Array[] = [];
  const start = now();
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytes) {
      throw new SchemaMismatchError(
        `${request} answered ${status} with more than ${bytes / 1024 / 1024} MiB. Is this the console's address?`,
        [],
      );
    }
    if (now() - start > milliseconds) {
      throw new TimeoutError(
        `${request}: the answer was not complete after ${milliseconds / 1000} seconds.`,
        "body",
      );
    }
  }
  return new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
}

const REFUSAL_BYTES = 64 * 1024;
const REFUSAL_MS = 10_000;

/** Reads the first 64 KiB of an error's answer. A body that breaks off or takes long is cut. */
export async function readRefusal(
  request: string,
  { status, headers, body }: TransportResponse,
  { now }: Clock,
): Promise<ConsoleResponse> {
  const chunks: Uint8Array[] = [];
  const start = now();
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, REFUSAL_BYTES - length));
      length += chunk.length;
      if (length >= REFUSAL_BYTES || now() - start > REFUSAL_MS) break;
    }
  } catch {
    // The body broke off; the status is known.
  }
  return new ConsoleResponse(request, status, headers, Buffer.concat(chunks));
}

interface Clock {
  /** Milliseconds. */
  readonly now: () => number;
}
