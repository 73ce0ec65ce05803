import type { Dispatcher } from "undici";
import { connector } from "./connector";
import { AbortedError, ConfigurationError } from "../errors";
import { secureContexts, type TlsOptions, withRoots } from "./tls";
import type { Transport } from "./transport";

export interface TransportOptions {
  /** `https://host:port`. */
  readonly origin: string;
  readonly tls: TlsOptions;
  /** How many connections are kept at most, and so how many requests are under way to the host. */
  readonly connections: number;
  /** Milliseconds to connect, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds to the head of an answer, and between two parts of its body. */
  readonly requestTimeout: number;
  /** What HTTPS_PROXY and NO_PROXY (or in lower case) say. */
  readonly proxy: ProxyVariables;
}

export interface OpenTransport {
  readonly send: Transport;
  /** Waits for requests under way, then closes the connections. */
  readonly close: () => Promise<void>;
}

/**
 * HTTPS by undici: keep-alive connections to one console, resumed TLS sessions, HTTP/1.1. Nothing
 * is loaded or connected before the first request, which fails with a ConfigurationError when the
 * PEM texts or the proxy's address cannot be used.
 */
export function openTransport(options: TransportOptions): OpenTransport {
  let opened: Promise<Dispatcher> | undefined;
  let closed: Promise<void> | undefined;
  return {
    send: async ({ method, path, headers, body, signal }) => {
      if (closed) throw new AbortedError("The client is closed.");
      const dispatcher = await (opened ??= openDispatcher(options));
      const response = await dispatcher.request({
        origin: options.origin,
        method,
        path,
        headers,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      return { status: response.statusCode, headers: response.headers, body: response.body };
    },
    // What could not be opened need not be closed.
    close: () => (closed ??= (async () => (await opened?.catch(() => undefined))?.close())()),
  };
}

async function openDispatcher(options: TransportOptions): Promise<Dispatcher> {
  const { buildConnector, EnvHttpProxyAgent, Pool } = await import("undici");
  const { connections, connectTimeout: timeout, requestTimeout, origin, tls } = options;
  const contexts = secureContexts(tls);
  const verification = { timeout, rejectUnauthorized: tls.insecureSkipVerify !== true };
  const connect = connector(contexts, (secureContext) =>
    buildConnector({ ...verification, secureContext }),
  );
  const shared = {
    connections,
    connect,
    headersTimeout: requestTimeout,
    bodyTimeout: requestTimeout,
  };
  const proxy = proxyOf(options.proxy);
  if (proxy === undefined) return new Pool(origin, shared);
  return new EnvHttpProxyAgent({
    ...shared,
    ...proxy,
    // A tunnel is used up by the first handshake in it: there is no second try.
    requestTls: { ...verification, secureContext: contexts.complete?.() ?? contexts.first },
    // The proxy is not shown the client certificate.
    proxyTls: { timeout, ...(tls.ca !== undefined && { secureContext: withRoots(tls.ca) }) },
  });
}

export interface ProxyVariables {
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** HTTPS_PROXY alone counts: what HTTP_PROXY names is for unencrypted requests. */
export function proxyVariables(
  environment: Readonly<Record<string, string | undefined>>,
): ProxyVariables {
  return {
    httpsProxy: environment.https_proxy ?? environment.HTTPS_PROXY ?? "",
    noProxy: environment.no_proxy ?? environment.NO_PROXY ?? "",
  };
}

function proxyOf({ httpsProxy: given, noProxy }: ProxyVariables) {
  if (given === "") return undefined;
  const httpsProxy = given.includes("://") ? given : `http://${given}`;
  if (!URL.canParse(httpsProxy) || !/^https?:/i.test(httpsProxy)) {
    // Not shown: it may hold a password.
    throw new ConfigurationError("HTTPS_PROXY", "HTTPS_PROXY is no address of an HTTP proxy.");
  }
  return { httpsProxy, httpProxy: "", noProxy };
}
