import type { Dispatcher, buildConnector } from "undici";
import { AbortedError } from "../errors";
import { addsToNode, secureContexts, type TlsOptions, withRoots, type SecureContexts } from "./tls";
import { ConfigurationError } from "../errors";
import type { Transport } from "./transport";
import type { SecureContext } from "node:tls";
import { tlsProblem } from "./failure";
import { NothingSent, proxyOf, type ProxyVariables, tunnelFactories } from "../../core/io/proxy";
import { createHash } from "node:crypto";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { memberOf } from "../../core/member-of";

export interface TransportOptions {
  /** `https://host:port`. */
  readonly origin: string;
  readonly tls: TlsOptions;
  /** Maximum number of connections and concurrent requests to the host. */
  readonly connections: number;
  /** Milliseconds to connect, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds to wait for the head of an answer and between two parts of its body. */
  readonly requestTimeout: number;
  /** Values of HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  readonly proxy: ProxyVariables;
}

export interface OpenTransport {
  readonly send: Transport;
  /** Waits for running requests, then closes the connections. */
  readonly close: () => Promise<void>;
}

/** Hosts that keep their connections without a running request, those of the latest requests. */
const MOST_IDLE_HOSTS = 100;

/** Closes the connections of each host without a running request, the longest idle first. */
const idle = new Set<() => Promise<void>>();

/**
 * Opens HTTPS by undici: HTTP/1.1, keep-alive connections to one console, resumed TLS sessions.
 * Nothing is loaded or connected before the first request, which throws a ConfigurationError if the
 * PEM texts or the proxy's address cannot be used. A transport that is idle for long is opened again
 * by its next request, because the connections of a thousand hosts would fill the memory.
 */
export function openTransport(options: TransportOptions): OpenTransport {
  let opened: Promise<Dispatcher> | undefined;
  let running = 0;
  let closed: Promise<void> | undefined;
  const closeConnections = async () => {
    const present = opened;
    opened = undefined;
    idle.delete(closeConnections);
    // Waits for answers that are still read. Nothing to close if opening failed.
    await (await present?.catch(() => undefined))?.close();
  };
  return {
    send: async ({ method, path, headers, body, signal }) => {
      if (closed) throw new AbortedError("The client is closed.");
      running += 1;
      idle.delete(closeConnections);
      try {
        const dispatcher = await (opened ??= openDispatcher(options));
        const response = await dispatcher.request({
          origin: options.origin,
          method,
          path,
          headers,
          ...(body !== undefined && { body }),
          ...(signal && { signal }),
        });
        const { statusCode: status, headers: found } = response;
        const decoded = decompressed(response.body, String(found["content-encoding"] ?? ""));
        return { status, headers: found, body: decoded };
      } finally {
        running -= 1;
        if (running === 0 && opened) idle.add(closeConnections);
        const [longest] = idle;
        if (longest && idle.size > MOST_IDLE_HOSTS) void longest().catch(() => undefined);
      }
    },
    close: () => (closed ??= closeConnections()),
  };
}

/** The client asks for no compression, which does not hold off every proxy. */
function decompressed(body: Readable, encoding: string): Readable {
  const [one, ...others] = encoding.toLowerCase().split(",");
  const decoder = others.length > 0 ? undefined : memberOf(DECODERS, one?.trim() ?? "");
  // An error ends the returned stream.
  return decoder ? pipeline(body, decoder(), () => undefined) : body;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function openDispatcher(options: TransportOptions): Promise<Dispatcher> {
  const undici = await import("undici");
  const { connections, connectTimeout: timeout, requestTimeout, origin, tls } = options;
  const contexts = secureContexts(tls);
  const verification = { timeout, rejectUnauthorized: tls.insecureSkipVerify !== true };
  const connect = connector(contexts, (secureContext) =>
    undici.buildConnector({ ...verification, secureContext }),
  );
  const shared = {
    connections,
    connect,
    headersTimeout: requestTimeout,
    bodyTimeout: requestTimeout,
  };
  const proxy = proxyOf(options.proxy, (message) => new ConfigurationError("HTTPS_PROXY", message));
  if (proxy === undefined) return new undici.Pool(origin, shared);
  return new undici.EnvHttpProxyAgent({
    ...shared,
    ...proxy,
    ...tunnelFactories((...pool) => new undici.Pool(...pool), proxy.httpsProxy, timeout),
    // The first handshake uses up the tunnel, so there is no second attempt.
    requestTls: { ...verification, secureContext: contexts.complete?.() ?? contexts.first },
    // The client certificate is not sent to the proxy.
    proxyTls: { timeout, ...(addsToNode(tls.ca) && { secureContext: withRoots(tls.ca) }) },
  });
}

/**
 * Connects with the likelier context and, if that does not know the authority, with the complete
 * one. Keeps the context that worked. Nothing has been sent when connecting fails.
 */
export function connector(
  { first, complete }: SecureContexts,
  connectorWith: (context: SecureContext) => buildConnector.connector,
): buildConnector.connector {
  let connect = connectorWith(first);
  let fallback = complete;
  return (options, callback) => {
    const report: buildConnector.Callback = (...[error, socket]) => {
      if (error) callback(new NothingSent(error), null);
      else callback(null, socket);
    };
    connect(options, (...result) => {
      if (!fallback || tlsProblem(result[0]) !== "unknown-authority") {
        report(...result);
        return;
      }
      const completeConnect = connectorWith(fallback());
      completeConnect(options, (...secondResult) => {
        if (secondResult[0] === null) {
          connect = completeConnect;
          fallback = undefined;
        }
        report(...secondResult);
      });
    });
  };
}

interface Shared {
  readonly transport: OpenTransport;
  users: number;
}

const open = new Map<string, Shared>();

/**
 * Opens a transport for one client. Clients with the same origin and settings share connections:
 * many hosted consoles are on one host under different paths, a TLS handshake costs more than a
 * request, and the host limits concurrent handshakes.
 */
export function shareTransport(options: TransportOptions): OpenTransport {
  const key = transportKey(options);
  const shared = open.get(key) ?? { transport: openTransport(options), users: 0 };
  shared.users += 1;
  open.set(key, shared);
  let closed: Promise<void> | undefined;
  return {
    send: (request) =>
      closed
        ? Promise.reject(new AbortedError("The client is closed."))
        : shared.transport.send(request),
    close: () => (closed ??= leave(key, shared)),
  };
}

async function leave(key: string, shared: Shared): Promise<void> {
  shared.users -= 1;
  if (shared.users > 0) return;
  open.delete(key);
  await shared.transport.close();
}

/** Hashed, because the options may contain a private key. */
function transportKey(options: TransportOptions): string {
  return createHash("sha256").update(JSON.stringify(options)).digest("base64");
}
