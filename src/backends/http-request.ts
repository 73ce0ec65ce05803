import { errorText } from "../core/io/file-problem";
import { NothingSent, ProxyFailure } from "../core/io/proxy";
import { ofWorld } from "../core/io/world";
import { dispatcherFor, type Connections } from "./http-dispatcher";
import { useCredentials, withoutCredentials } from "./sent-credentials";
import { StoreError } from "./state-store";

/** States are far smaller; a server that never ends its answer must not fill the memory. */
const MAX_STATE_BYTES = 256 * 2 ** 20;
/** For a request with all its retries. */
const DEADLINE_MS = 300_000;

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends a request, with the retries of its connections. Rejects with a `StoreError`. */
export type Exchange = (connections: Connections, request: HttpRequest) => Promise<HttpAnswer>;

/** The way to the servers of states. A simulation hands in another one. */
export const stateServers = ofWorld((): { exchange: Exchange } => ({ exchange: overHttp }));

/** Sends a request. An answer that is no success has no credential of the request. */
export const exchangeWithServer: Exchange = async (connections, request) => {
  const sent = useCredentials(request);
  return withoutCredentials(await stateServers().exchange(connections, request), sent);
};

async function overHttp(
  connections: Connections,
  { method, url, headers: sent, body }: HttpRequest,
): Promise<HttpAnswer> {
  try {
    const dispatcher = await dispatcherFor(connections);
    const response = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      signal: AbortSignal.timeout(DEADLINE_MS),
      headers: { ...sent },
      ...(body && { body }),
    });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    );
    return { status: response.statusCode, headers, body: await bounded(response.body, headers) };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError(failureText(cause), { cause });
  }
}

function failureText(failure: unknown): string {
  const cause = failure instanceof NothingSent ? failure.cause : failure;
  return cause instanceof ProxyFailure
    ? `the proxy ${cause.proxy} opened no tunnel`
    : errorText(cause);
}

async function bounded(
  body: AsyncIterable<Uint8Array>,
  { "content-length": announced }: HttpAnswer["headers"],
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_STATE_BYTES) {
        throw new StoreError(`the answer has more than ${MAX_STATE_BYTES / 2 ** 20} MiB`);
      }
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    const whole = announced === undefined ? "" : ` of ${announced}`;
    throw new StoreError(
      `the answer is truncated, after ${length}${whole} bytes: ${errorText(cause)}`,
      { cause },
    );
  }
  return Buffer.concat(chunks);
}
