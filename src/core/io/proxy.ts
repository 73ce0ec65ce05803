import type { buildConnector, Dispatcher, Pool } from "undici";

export interface ProxyVariables {
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Only HTTPS_PROXY applies; HTTP_PROXY is for unencrypted requests. */
export function proxyVariables(
  environment: Readonly<Record<string, string | undefined>>,
): ProxyVariables {
  return {
    httpsProxy: environment.https_proxy ?? environment.HTTPS_PROXY ?? "",
    noProxy: environment.no_proxy ?? environment.NO_PROXY ?? "",
  };
}

/**
 * The options of undici's `EnvHttpProxyAgent`; undefined if no proxy is configured.
 *
 * @param invalid Makes the error for an address that is none.
 */
export function proxyOf(
  { httpsProxy: given, noProxy }: ProxyVariables,
  invalid: (message: string) => Error,
) {
  if (given === "") return undefined;
  const httpsProxy = given.includes("://") ? given : `http://${given}`;
  if (!URL.canParse(httpsProxy) || !/^https?:/i.test(httpsProxy)) {
    // Not shown: it may contain a password.
    throw invalid("HTTPS_PROXY is not the address of an HTTP proxy. Write http://HOST:PORT.");
  }
  return { httpsProxy, httpProxy: "", noProxy };
}

/** No connection was made, so any request may be retried. */
export class NothingSent extends Error {
  override readonly name = "NothingSent";

  constructor(cause: unknown) {
    super("no connection", { cause });
  }
}

/** The proxy opened no tunnel, so nothing was sent to the console. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";

  constructor(
    /** `http://host:port`, without credentials. */
    readonly proxy: string,
    cause: unknown,
  ) {
    super("the proxy opened no tunnel", { cause });
  }
}

/** The errors of a tunnel that come from the proxy: it refused, closed or did not answer. */
const TUNNEL_CODES: ReadonlySet<unknown> = new Set([
  "UND_ERR_ABORTED",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
]);

/**
 * Returns the factories of a `ProxyAgent` whose tunnels fail within `timeout` milliseconds.
 *
 * undici requests a tunnel without a time-out, and again and again when the proxy closes the
 * connection, because it takes that error for one that a new connection repairs. So the request has
 * a time-out, and every failure is wrapped in an error that ends the console's requests.
 */
export function tunnelFactories(
  newPool: (origin: string | URL, options: Pool.Options) => Dispatcher,
  httpsProxy: string,
  timeout: number,
) {
  const proxy = new URL(httpsProxy).origin;
  const failing =
    (connect: buildConnector.connector, failure: (error: Error) => Error) =>
    (...[options, callback]: Parameters<buildConnector.connector>) => {
      connect(options, (...[error, socket]) => {
        if (error) callback(failure(error), null);
        else callback(null, socket);
      });
    };
  const ofProxy = (error: Error) => new ProxyFailure(proxy, error);
  const ofTunnel = (error: Error) => {
    // From a connection that NO_PROXY allows.
    if (error instanceof NothingSent) return error;
    const isOfProxy = "code" in error && TUNNEL_CODES.has(error.code);
    return new NothingSent(isOfProxy ? ofProxy(error) : error);
  };
  return {
    clientFactory: (origin: URL, options: Connecting) =>
      newPool(origin, { connect: failing(options.connect, ofProxy), headersTimeout: timeout }),
    factory: (origin: string | URL, options: Connecting & Pool.Options) =>
      newPool(origin, { ...options, connect: failing(options.connect, ofTunnel) }),
  };
}

interface Connecting {
  readonly connect: buildConnector.connector;
}
