import type { Dispatcher } from "undici";
import { proxyOf, tunnelFactories, type ProxyVariables } from "../core/io/proxy";

/** The settings of connections that stacks can share. */
export interface Connections {
  /** The proxy of this scheme, in the place of HTTPS_PROXY. */
  readonly proxy: ProxyVariables;
  /** False: the server's certificate is not verified. */
  readonly verify: boolean;
  /** PEM */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly retries: number;
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
  /** The methods whose requests are repeated. */
  readonly methods: readonly string[];
  /** The answers after which they are. Default: 429 and those that a server may not repeat. */
  readonly statuses?: readonly number[];
}

const CONNECT_TIMEOUT_MS = 10_000;

const open = new Map<string, Promise<Dispatcher>>();

/** Opens connections that repeat failed requests. Stacks with equal settings share them. */
export function dispatcherFor(connections: Connections): Promise<Dispatcher> {
  const identity = JSON.stringify(connections);
  const known = open.get(identity) ?? openDispatcher(connections);
  open.set(identity, known);
  return known;
}

async function openDispatcher(connections: Connections): Promise<Dispatcher> {
  const { RetryAgent } = await import("undici");
  const { retries, minRetryMs, maxRetryMs, methods, statuses } = connections;
  return new RetryAgent(await openAgent(connections), {
    maxRetries: retries,
    minTimeout: minRetryMs,
    maxTimeout: maxRetryMs,
    methods: [...methods],
    ...(statuses && { statusCodes: [...statuses] }),
    throwOnError: false,
  });
}

async function openAgent({ proxy, verify, ca, certificate, key }: Connections) {
  const { buildConnector, EnvHttpProxyAgent, Pool } = await import("undici");
  const tls = {
    rejectUnauthorized: verify,
    timeout: CONNECT_TIMEOUT_MS,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
  };
  const connect = buildConnector(tls);
  const given = proxyOf(proxy, (message) => new Error(message));
  // Without a proxy, the agent connects directly.
  if (!given) return new EnvHttpProxyAgent({ connect, httpProxy: "", httpsProxy: "" });
  return new EnvHttpProxyAgent({
    connect,
    requestTls: tls,
    ...given,
    httpProxy: given.httpsProxy,
    ...tunnelFactories((...pool) => new Pool(...pool), given.httpsProxy, CONNECT_TIMEOUT_MS),
  });
}
