import { SchemaMismatchError, TimeoutError } from "../errors";
import { ListSplitter } from "../../core/json/list-splitter";
import { parseJson } from "../../core/json/lossless-json";
import { headerOf, type TransportResponse } from "./transport";
import { validText } from "./valid-utf8";

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

  /** Like `text`, for what may be written back. Throws a SchemaMismatchError if it is not UTF-8. */
  validText(): string {
    return validText(this.request, this.body);
  }

  /** Parses the body with `parseJson`. Throws a SchemaMismatchError if it is not JSON in UTF-8. */
  json(): unknown {
    const text = this.validText();
    try {
      return parseJson(text);
    } catch {
      // Not kept as a cause: it quotes the body, which may contain a token.
      throw notJson(this.request, this, this.body.length);
    }
  }
}

function notJson(
  request: string,
  { status, headers }: Pick<TransportResponse, "status" | "headers">,
  bytes: number,
): SchemaMismatchError {
  const type = headerOf(headers, "content-type") ?? "no content type";
  return new SchemaMismatchError(
    `${request} answered ${status} with ${bytes} bytes of ${type} that are not JSON.`,
    [],
  );
}

/** Bounds of an answer that is read into memory; downloads have none. */
export const ANSWER_BOUNDS = { bytes: 128 * 1024 * 1024, milliseconds: 300_000 } as const;

/** Reads an answer to its end. Throws what `bounded` throws. */
export async function readResponse(
  request: string,
  answer: TransportResponse,
  clock: Clock,
): Promise<ConsoleResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(request, answer, clock)) chunks.push(chunk);
  return new ConsoleResponse(request, answer.status, answer.headers, Buffer.concat(chunks));
}

/** The rows of a list, and the answer without them. */
export interface Rows<Row> {
  /** Undefined if the answer has no list there. */
  readonly rows: readonly Row[] | undefined;
  readonly rest: ConsoleResponse;
}

/** The list of an answer, and what is kept of its elements. */
export interface RowsOptions<Row> {
  /** The member that has the list, if the answer is no list itself. */
  readonly member?: string | undefined;
  readonly rowOf: (element: unknown, index: number) => Row;
}

/**
 * Returns a reader that parses the elements of a list one at a time, so that the memory that an
 * answer takes is that of its rows. It throws what `bounded` throws, a SchemaMismatchError for an answer
 * that is not JSON, and what `rowOf` throws.
 */
export function rowsReader<Row>({ member, rowOf }: RowsOptions<Row>) {
  return async (request: string, answer: TransportResponse, clock: Clock): Promise<Rows<Row>> => {
    const rows: Row[] = [];
    let length = 0;
    const list = new ListSplitter(member, (bytes, index) => {
      const at = member === undefined ? [index] : [member, index];
      rows.push(rowOf(parseJson(validText(request, bytes, at)), index));
    });
    try {
      for await (const chunk of bounded(request, answer, clock)) {
        length += chunk.length;
        list.push(chunk);
      }
    } catch (cause) {
      throw cause instanceof SyntaxError ? notJson(request, answer, length) : cause;
    }
    const rest = new ConsoleResponse(request, answer.status, answer.headers, list.end());
    rest.json();
    return { rows: list.isFound ? rows : undefined, rest };
  };
}

/**
 * Yields the chunks of an answer. Throws a SchemaMismatchError or a TimeoutError for one beyond
 * `ANSWER_BOUNDS`, so that no server can fill the memory or hold up the run.
 */
async function* bounded(
  request: string,
  { status, body }: TransportResponse,
  { now }: Clock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { bytes, milliseconds } = ANSWER_BOUNDS;
  const start = now();
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytes) {
      throw new SchemaMismatchError(
        `${request} answered ${status} with more than ${bytes / 1024 / 1024} MiB.`,
        [],
      );
    }
    if (now() - start > milliseconds) {
      throw new TimeoutError(
        `${request}: the answer was not complete after ${milliseconds / 1000} seconds.`,
        "body",
      );
    }
    yield chunk;
  }
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
